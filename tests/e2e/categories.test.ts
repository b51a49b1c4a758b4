/** Categories and rules that a customer defines. The specification does not mention this feature. */
import { expect } from '@playwright/test'
import { watchJoins } from './live.ts'
import { recordExpenses, customerTest as test } from './people.ts'
import { card, historyRow, pageHeading, toast } from './screens.ts'

test('a customer can turn a category change into a rule for existing and new transactions', async ({
  page,
  person,
  openAs,
}) => {
  await recordExpenses(person, [
    { description: 'COMPRA EXITO 80', amount: 12, category: 'Compras' },
    { description: 'Compra Éxito 45', amount: 3, category: null },
    { description: 'Veterinaria', amount: 30, category: 'Otro' },
  ])
  const elsewhere = await openAs(person)
  const untilJoined = watchJoins(elsewhere)
  await elsewhere.goto('/transacciones')
  await untilJoined()

  await page.goto('/perfil')
  await page.getByRole('link', { name: /^Categorías y reglas/ }).click()
  await expect(pageHeading(page)).toHaveText('Categorías y reglas')
  await page.getByRole('button', { name: 'Añadir categoría' }).click()
  await page.getByLabel('Nombre').fill('comida')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('dialog')).toContainText('Ya hay una categoría con ese nombre.')
  await page.getByLabel('Nombre').fill('Mascotas')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(toast(page)).toContainText('Categoría añadida')

  // The editor offers the new category. The customer changes the category of a transaction, and needs only three
  // presses to add a rule for this category. The first press is on the category chip of a row.
  await page.goto('/transacciones')
  await historyRow(page, 'Veterinaria').click()
  await page.getByRole('button', { name: 'Editar' }).click()
  await page.getByLabel('Categoría', { exact: true }).last().selectOption('Mascotas')
  await page.getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(toast(page)).toContainText('Movimiento actualizado')
  await page.getByRole('button', { name: /^Compras: clasificar COMPRA EXITO 80,/ }).click()
  await page.getByLabel('Usar siempre para «COMPRA EXITO» (también en 1 anterior)').check()
  await page.getByRole('dialog').getByRole('button', { name: 'Comida' }).click()
  await expect(toast(page)).toContainText('Siempre: COMPRA EXITO → Comida, también en 1 movimiento')
  for (const shown of [page, elsewhere])
    await expect(shown.locator('.row', { hasText: 'Compra Éxito 45' })).toContainText('Comida')

  // The rule applies to a new expense.
  await page.goto('/dashboard')
  const form = card(page, 'Añadir Nuevo Gasto')
  await form.getByLabel('Descripción').fill('Compra éxito express')
  await expect(form.getByLabel('Categoría propuesta')).toHaveValue('Comida')

  // The list of rules has a button that undoes the changes of a rule. A renamed category is updated in the transactions
  // on every open page.
  await page.goto('/categorias')
  await page.getByRole('button', { name: 'Deshacer lo que cambió COMPRA EXITO → Comida' }).click()
  await expect(toast(page)).toContainText('Cambio deshecho')
  await expect(elsewhere.locator('.row', { hasText: 'Compra Éxito 45' })).toContainText('Gasto')
  await page.getByRole('button', { name: 'Renombrar Mascotas' }).click()
  await expect(page.getByRole('dialog')).toContainText('1 movimiento de tu historial')
  await page.getByLabel('Nombre').fill('Animales')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(toast(page)).toContainText('Categoría renombrada')
  await expect(elsewhere.locator('.row', { hasText: 'Veterinaria' })).toContainText('Animales')
})

test(
  'a customer can add, reorder and remove rules with the keyboard',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await person.client.from('category_rules').insert([
      { contains: 'Uber', category: 'Transporte' },
      { contains: 'Rappi', category: 'Comida' },
    ])
    await page.goto('/categorias')
    const rules = card(page, 'Reglas').getByRole('listitem')
    await expect(rules).toContainText(['Rappi', 'Uber'])

    await page.getByRole('button', { name: 'Subir Uber → Transporte' }).press('Enter')

    await expect(rules).toContainText(['Uber', 'Rappi'])
    await expect(page.getByRole('button', { name: 'Bajar Uber → Transporte' })).toBeFocused()
    await expect(page.getByText('Uber → Transporte: lugar 1 de 2')).toBeAttached()
    await page.reload()
    await expect(rules).toContainText(['Uber', 'Rappi'])

    await page.getByRole('button', { name: 'Añadir regla' }).click()
    await page.getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByRole('dialog')).toContainText('Escribe al menos dos caracteres.')
    await expect(page.getByRole('dialog')).toContainText('Elige una categoría.')
    await page.getByLabel('Si la descripción contiene').fill('D1')
    await page.getByLabel('Va a la categoría').selectOption('Comida')
    await page.getByRole('button', { name: 'Guardar' }).click()
    await expect(toast(page)).toContainText('Regla guardada')
    await expect(rules).toContainText(['D1', 'Uber', 'Rappi'])

    await page.getByRole('button', { name: 'Editar D1 → Comida' }).click()
    await page.getByLabel('Va a la categoría').selectOption('Compras')
    await page.getByRole('button', { name: 'Guardar' }).click()
    await page.getByRole('button', { name: 'Eliminar D1 → Compras' }).click()
    await expect(toast(page)).toContainText('Regla eliminada')
    await expect(rules).toContainText(['Uber', 'Rappi'])
  },
)
