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
  await expect(pageHeading(page)).toHaveText('Presupuesto por categoría')
  const unlimited = page.getByRole('region', { name: /^Sin límite en / })
  const others = unlimited.getByRole('listitem')
  await expect(others).toContainText(['Comida', 'Entretenimiento'])
  await expect(unlimited.getByText('$42.00')).toBeVisible()

  await page.getByRole('button', { name: 'Fijar límite de Comida' }).click()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('dialog')).toContainText('Escribe un monto.')
  await page.getByLabel('Límite mensual').fill('100')
  await page.getByLabel('Pasar al mes siguiente').check()
  await page.getByRole('button', { name: 'Guardar' }).click()

  await expect(toast(page)).toContainText('Límite guardado')
  const limits = page.getByRole('region', { name: /^Con límite en / }).getByRole('listitem')
  await expect(limits).toHaveCount(1)
  await expect(limits.getByRole('link', { name: 'Comida' })).toBeFocused()
  await expect(limits).toContainText('Te quedan $70.00 este mes.')
  await expect(limits).toContainText('Lo que quede o falte pasa al mes siguiente, desde ')
  await expect(limits.getByRole('meter', { name: 'Parte gastada de Comida' })).toHaveAttribute(
    'aria-valuenow',
    '30',
  )
  await expect(others).toHaveText([/^Entretenimiento/])

  // The page updates when an expense is recorded elsewhere.
  await recordExpenses(person, [{ description: 'Cena', amount: 80, category: 'Comida' }])
  await expect(limits).toContainText('Te pasaste por $10.00.')

  await page.getByRole('button', { name: 'Añadir límite' }).click()
  await expect(
    page.getByLabel('Categoría', { exact: true }).getByRole('option', { name: 'Comida' }),
  ).toHaveCount(0)
  await page.getByLabel('Categoría', { exact: true }).selectOption('Viajes')
  await page.getByLabel('Límite mensual').fill('50')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(limits).toContainText(['Comida', 'Viajes'])

  await page.getByRole('button', { name: 'Editar el límite de Comida' }).click()
  await page.getByRole('button', { name: 'Quitar el límite' }).click()
  await expect(toast(page)).toContainText('Límite quitado')
  await expect(limits).toHaveText([/^Viajes/])
  await expect(others).toContainText(['Comida', 'Entretenimiento'])
})
