/** Monthly limits per category. The specification does not mention this feature. */
import { expect } from '@playwright/test'
import { recordExpenses, customerTest as test } from './people.ts'
import { pageHeading, toast } from './screens.ts'

test('the rest of a category’s limit is updated after each expense and can be carried over to the next month', async ({
  page,
  person,
}) => {
  await recordExpenses(person, [
    { description: 'Mercado', amount: 30, category: 'Comida' },
    { description: 'Cine', amount: 12, category: 'Entretenimiento' },
  ])
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Presupuesto por categoría' }).click()
  await expect(pageHeading(page)).toHaveText('Presupuesto')
  const rows = page.getByRole('list', { name: 'Por categoría' }).getByRole('listitem')
  await expect(rows).toContainText(['Comida', 'Entretenimiento'])
  await expect(page.getByRole('region', { name: 'Presupuesto del mes' })).toContainText('Gastado $42.00')

  await page.getByRole('button', { name: 'Fijar límite: $30.00 de Comida' }).click()
  await expect(toast(page)).toContainText('Comida: $30.00 al mes.')
  await expect(rows.first().getByRole('link', { name: 'Comida' })).toBeFocused()
  await expect(rows.first()).toContainText('Llegaste al límite')

  await page.getByRole('button', { name: 'Cambiar el límite de Comida' }).click()
  await page.getByLabel('Límite mensual').fill('')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('dialog')).toContainText('Escribe un monto.')
  await page.getByLabel('Límite mensual').fill('100')
  await page.getByLabel('Pasar al mes siguiente').check()
  await page.getByRole('button', { name: 'Guardar' }).click()

  await expect(toast(page)).toContainText('Límite guardado')
  await expect(rows.first()).toContainText('Te quedan $70.00')
  await expect(rows.first()).toContainText('Lo que quede o falte pasa al mes siguiente, desde ')
  await expect(rows.getByRole('meter', { name: 'Parte gastada de Comida' })).toHaveAttribute(
    'aria-valuenow',
    '30',
  )

  // The page updates when an expense is recorded elsewhere.
  await recordExpenses(person, [{ description: 'Cena', amount: 80, category: 'Comida' }])
  await expect(rows.first()).toContainText('Te pasaste por $10.00')

  await page.getByRole('button', { name: 'Añadir límite a otra categoría' }).click()
  await expect(
    page.getByLabel('Categoría', { exact: true }).getByRole('option', { name: 'Comida' }),
  ).toHaveCount(0)
  await page.getByLabel('Categoría', { exact: true }).selectOption('Viajes')
  await page.getByLabel('Límite mensual').fill('50')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(rows).toContainText(['Comida', 'Viajes', 'Entretenimiento'])

  await page.getByRole('button', { name: 'Cambiar el límite de Comida' }).click()
  await page.getByRole('button', { name: 'Quitar el límite' }).click()
  await expect(toast(page)).toContainText('Límite quitado')
  await expect(rows).toContainText(['Viajes', 'Comida', 'Entretenimiento'])
})
