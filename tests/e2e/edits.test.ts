/**
 * Edits a transaction with the keyboard, including its amount and date. Checks that another open page and the
 * explanation of the balance show the edit, and that the edit can be undone.
 */
import { type Page, expect } from '@playwright/test'
import { watchJoins } from './live.ts'
import { recordByBank, recordExpenses, customerTest as test } from './people.ts'
import { historyRow, toast } from './screens.ts'

const main = (page: Page) => page.getByRole('main')
const latestRow = (page: Page, description: string) =>
  main(page).getByRole('button', { name: description, exact: true })

test('a customer can edit a transaction, and the explanation of the balance lists the edit', async ({
  page,
  person,
  administrator,
  openAs,
}) => {
  const fee = { type: 'expense', description: 'Cuota de manejo', amount: 9, category: 'Gasto' } as const
  await recordByBank(administrator, person, fee)
  await recordExpenses(person, [{ description: 'Cafe', amount: 5, category: 'Otro' }])
  const other = await openAs(person)
  const isJoined = watchJoins(other)
  await other.goto('/dashboard')
  await isJoined()
  await page.goto('/transacciones')

  await historyRow(page, 'Cafe').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Cafe' }).getByRole('button', { name: 'Editar' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Editar movimiento' })
  await expect(form.getByLabel('Monto')).toBeFocused()
  await form.getByLabel('Descripción').fill('Café con Ana')
  await form.getByLabel(/^Categoría/).selectOption('Comida')
  await form.getByLabel('Descripción').press('Enter')

  await expect(toast(page)).toContainText('Movimiento actualizado')
  await expect(historyRow(page, 'Café con Ana')).toBeFocused()
  await expect(latestRow(other, 'Café con Ana')).toBeVisible()

  await page.keyboard.press('e')
  await form.getByLabel('Monto').fill('0,5')
  await form.getByLabel('Fecha').fill('2026-01-15')
  await form.getByLabel('Monto').press('Enter')
  await expect(form).toBeHidden()
  await expect(historyRow(page, 'Café con Ana')).toHaveAccessibleName(/15 de enero.*, menos 0 dólares 50$/)
  await expect(historyRow(page, 'Café con Ana')).toHaveCount(1)
  await toast(page).getByRole('button', { name: 'Deshacer' }).click()
  await expect(historyRow(page, 'Café con Ana')).toHaveAccessibleName(/, menos 5 dólares$/)

  await latestRow(other, 'Cuota de manejo').click()
  await other.getByRole('dialog').getByRole('button', { name: 'Editar' }).click()
  await other
    .getByRole('dialog')
    .getByLabel(/^Categoría/)
    .selectOption('Servicios')
  await other.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(main(page).locator('.row').getByText('Servicios')).toBeVisible()
  await toast(other).getByRole('button', { name: 'Deshacer' }).click()
  await expect(toast(other)).toContainText('Cambio deshecho')

  await other.getByRole('button', { name: '¿Por qué este saldo?' }).click()
  await other.getByText('Cambios en tus movimientos').click()
  await expect(other.getByRole('dialog').getByRole('listitem')).toHaveText([
    /: «Cuota de manejo»: categoría Servicios → Gasto$/,
    /: «Cuota de manejo»: categoría Gasto → Servicios$/,
    /: Descripción «Cafe» → «Café con Ana»; categoría Otro → Comida$/,
  ])
  await other.getByRole('dialog').getByRole('button', { name: 'Verificar' }).click()
  await expect(other.getByRole('dialog')).toContainText('Todo coincide: los 9 registros están intactos')
})
