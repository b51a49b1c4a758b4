/** `Deshacer` brings a deleted row back exactly, by pointer and by keyboard. */
import { type Page, expect } from '@playwright/test'
import { isRequest, refuseRequests } from './held-requests.ts'
import { type Person, recordByBank, recordExpenses } from './accounts.ts'
import { toast } from './screens.ts'
import { customerTest as test } from './signed-in.ts'

const main = (page: Page) => page.getByRole('main')
const deleteButton = (page: Page, description: string) =>
  main(page).getByRole('button', { name: `Eliminar ${description}`, exact: true })

const expenses = [
  { description: 'Mercado', amount: 40.1, category: 'Comida', date: '2026-01-03T12:00:00-05:00' },
  { description: 'Bus', amount: 2.2, category: 'Transporte', date: '2026-01-02T12:00:00-05:00' },
  { description: 'Cine', amount: 9.3, category: 'Entretenimiento', date: '2026-01-01T12:00:00-05:00' },
]
const salary = { type: 'deposit', description: 'Nómina', amount: 100, category: 'Deposito' } as const

async function rowsOf({ client }: Person) {
  const { data, error } = await client.from('transactions').select('*').order('date')
  expect(error).toBeNull()
  return data
}

async function balanceOf({ client, id }: Person): Promise<unknown> {
  const { data } = await client.from('budgets').select('balance').eq('user_id', id).single()
  return data?.balance
}

test('an undone deletion brings back the same row, and the balance is right again', async ({
  page,
  person,
  administrator,
}) => {
  await recordByBank(administrator, person, salary)
  await recordExpenses(person, expenses)
  const before = await rowsOf(person)
  await page.goto('/transacciones')
  const figures = main(page).locator('dl')
  await expect(figures).toContainText('$48.40')

  await deleteButton(page, 'Mercado').click()
  await expect(toast(page)).toContainText('Transacción Eliminada')
  await expect(figures).toContainText('$88.50')
  expect(await balanceOf(person)).toBe(88.5)
  await toast(page).getByRole('button', { name: 'Deshacer' }).click()

  await expect(toast(page)).toContainText('Transacción restaurada')
  await expect(deleteButton(page, 'Mercado')).toBeVisible()
  await expect(figures).toContainText('$48.40')
  expect(await rowsOf(person)).toEqual(before)
  expect(await balanceOf(person)).toBe(48.4)
})

test(
  'a movement of the bank comes back too, still recorded by the bank',
  { tag: '@nightly' },
  async ({ page, person, administrator }) => {
    await recordByBank(administrator, person, salary)
    const before = await rowsOf(person)
    await page.goto('/transacciones')
    await deleteButton(page, 'Nómina').click()
    await toast(page).getByRole('button', { name: 'Deshacer' }).click()

    await expect(main(page).getByText('Registrado por el banco.')).toBeVisible()
    expect(await rowsOf(person)).toEqual(before)
    expect(await balanceOf(person)).toBe(100)
  },
)

test(
  'each toast takes back its own deletion, and Ctrl+Z one after the other',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, expenses)
    await page.goto('/transacciones')
    for (const description of ['Mercado', 'Bus', 'Cine']) {
      await deleteButton(page, description).click()
      await expect(toast(page)).toContainText(description)
    }
    await toast(page).getByRole('button', { name: 'Deshacer' }).click()
    await expect(deleteButton(page, 'Cine')).toBeVisible()
    await expect(deleteButton(page, 'Bus')).toBeHidden()

    await page.keyboard.press('Control+z')
    await expect(deleteButton(page, 'Bus')).toBeVisible()
    await expect(deleteButton(page, 'Mercado')).toBeHidden()
    await page.keyboard.press('Control+z')
    await expect(deleteButton(page, 'Mercado')).toBeVisible()
    expect(await rowsOf(person)).toHaveLength(3)
  },
)

test(
  'an undo that the bank refuses says why, in the bank’s own sentence',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, expenses)
    await refuseRequests(page, isRequest('POST', '/rest/v1/rpc/restore_transaction'), {
      status: 404,
      body: {
        code: 'PT404',
        message: 'Este movimiento ya no se puede recuperar.',
        details: null,
        hint: null,
      },
    })
    await page.goto('/transacciones')
    await deleteButton(page, 'Bus').click()
    await toast(page).getByRole('button', { name: 'Deshacer' }).click()

    await expect(toast(page).getByRole('alert')).toContainText('No se pudo restaurar la transacción')
    await expect(toast(page).getByRole('alert')).toContainText('Este movimiento ya no se puede recuperar.')
    await expect(deleteButton(page, 'Bus')).toBeHidden()
  },
)
