/**
 * Recurring expenses are proposed, confirmed, counted in the forecast, paused and ended. A transaction that pays a
 * recurring expense shows that expense.
 */
import { type Page, expect } from '@playwright/test'
import { recordByBank, recordExpenses, customerTest as test } from './people.ts'
import { card, historyRow, toast } from './screens.ts'

const main = (page: Page) => page.getByRole('main')
const dayMs = 86_400_000
const bogota = () => new Date(Date.now() - 5 * 3_600_000)

/** Returns how many weekly payments are still due this month, by the calendar of Bogotá. */
function weeksLeft(): number {
  const now = bogota()
  const days =
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0)).getUTCDate() - now.getUTCDate()
  return Math.floor(days / 7)
}

test('a confirmed recurring payment is included in the forecast for the end of the month', async ({
  page,
  person,
  administrator,
}) => {
  await recordByBank(administrator, person, {
    type: 'deposit',
    description: 'Nómina',
    amount: 1000,
    category: 'Deposito',
  })
  await recordExpenses(
    person,
    [2, 32, 63].map((days) => ({
      description: 'Netflix',
      amount: 20,
      category: 'Entretenimiento',
      date: new Date(Date.now() - days * dayMs).toISOString(),
    })),
  )

  await page.goto('/resumen')
  await main(page).getByRole('link', { name: 'Recurrentes' }).click()
  await expect(page).toHaveTitle('Pagos recurrentes - Finanzas')
  const proposals = card(page, 'Parecen repetirse')
  await expect(proposals).toContainText('Cada mes, el')
  await proposals.getByRole('button', { name: 'Confirmar Netflix' }).click()
  await expect(toast(page)).toContainText('Pago recurrente guardado')
  await expect(proposals).toBeHidden()
  const list = card(page, 'Este mes')
  // The state of the payment depends on whether two days ago is in this month or in the previous month.
  await expect(list.getByRole('listitem')).toHaveText([
    /^Netflix\$20\.00Cada mes, el \d+ · (Pagado|Falta, el|Próximo:) \d+/,
  ])
  await expect(list).toContainText('1 pago · $20.00 al mes')

  await main(page).getByRole('button', { name: 'Añadir' }).click()
  const form = page.getByRole('dialog', { name: 'Nuevo pago recurrente' })
  await form.getByLabel('Descripción').fill('Mercado')
  await form.getByLabel('Monto').fill('100')
  await form.getByLabel('Se repite').selectOption('Cada semana')
  await form.getByLabel('Registrar solo el día que toca').check()
  await expect(form).toContainText('El de hoy se registra al guardar.')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(list.getByRole('listitem')).toHaveCount(2)

  await page.goto('/transacciones')
  await historyRow(page, 'Mercado').click()
  const details = page.getByRole('dialog', { name: 'Mercado' })
  await expect(details).toContainText('OrigenPago recurrente')
  await details.getByRole('link', { name: 'Repetir cada mes' }).click()
  await expect(page).toHaveURL(/\/recurrentes\?repetir=/)
  await expect(form.getByLabel('Descripción')).toHaveValue('Mercado')
  await expect(form.getByLabel('Se repite')).toHaveValue('monthly')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL('/recurrentes')

  await list.getByRole('button', { name: 'Netflix' }).click()
  await page.getByRole('button', { name: 'Pausar' }).click()
  await expect(list).toContainText('En pausa')
  await list.getByRole('button', { name: 'Netflix' }).click()
  await page.getByRole('button', { name: 'Terminar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Terminar' }).click()
  await expect(list.getByRole('listitem')).toHaveText([/^Mercado/])

  await page.goto('/dashboard')
  const weeks = weeksLeft()
  // The balance is 840, which is 1,000 minus three payments of 20 and today's payment of 100.
  const left = `$${840 - 100 * weeks}.00`
  const payments = weeks === 1 ? 'un pago que falta' : `${weeks} pagos que faltan`
  await expect(
    main(page).getByRole('link', {
      name:
        weeks === 0
          ? 'Sin más pagos recurrentes este mes'
          : `Al final del mes: ${left}, contando ${payments}`,
    }),
  ).toBeVisible()
})
