/**
 * An answer that is lost on its way: the same request sent again takes effect once, with its first key and time. What was
 * refused is another request when it is corrected.
 */
import { type Page, expect } from '@playwright/test'
import { isRequest } from './held-requests.ts'
import { newPerson } from './accounts.ts'
import { newAddress, toast } from './screens.ts'
import { administratorTest as test } from './signed-in.ts'

const lost = 'No llegó la respuesta. Inténtalo de nuevo con los mismos datos: no se hará dos veces.'
const newName = () => `Zoé ${crypto.randomUUID().slice(0, 8)}`

/** Cuts the first answer off after the server has given it; answers the keys that were sent. */
async function loseFirstAnswer(page: Page, path: string): Promise<string[]> {
  const isCall = isRequest('POST', path)
  const keys: string[] = []
  await page.route('**/*', async (route) => {
    if (!isCall(route.request())) return route.fallback()
    keys.push((await route.request().headerValue('idempotency-key')) ?? '')
    if (keys.length > 1) return route.fallback()
    expect((await route.fetch()).status()).toBe(200)
    return route.abort('connectionreset')
  })
  return keys
}

async function openAt(page: Page, email: string): Promise<void> {
  await page.goto('/admin')
  await page.getByRole('searchbox').fill(email)
  await expect(page.getByRole('row').filter({ hasText: email })).toBeVisible()
}

test(
  'a movement whose answer was lost is registered once, however often Registrar is pressed',
  { tag: '@nightly' },
  async ({ page, administrator }) => {
    const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
    // As over plain http, where the browser makes no UUIDs.
    await page.addInitScript(() => Object.defineProperty(crypto, 'randomUUID', { value: undefined }))
    const keys = await loseFirstAnswer(page, '/functions/v1/manage-transactions')
    await openAt(page, customer.email)
    const dialog = page.getByRole('dialog')
    const register = async (description: string) => {
      await page.getByRole('button', { name: `Nueva transacción para ${customer.fullName}` }).click()
      await dialog.getByLabel('Monto (COP)').fill('75.25')
      await dialog.getByLabel('Descripción').fill(description)
      await dialog.getByRole('button', { name: 'Registrar' }).click()
    }
    await register('En ventanilla')
    await expect(toast(page).getByRole('alert')).toContainText('Error en la transacción')
    await expect(toast(page)).toContainText(lost)
    await expect(dialog.getByLabel('Descripción')).toHaveValue('En ventanilla')
    await dialog.getByRole('button', { name: 'Registrar' }).click()
    await expect(toast(page)).toContainText('Transacción registrada correctamente.')

    const { data: rows } = await customer.client.from('transactions').select('amount, description')
    expect(rows).toEqual([{ amount: 75.25, description: 'En ventanilla' }])
    const { data: budget } = await customer.client.from('budgets').select('balance').single()
    expect(budget).toEqual({ balance: 75.25 })

    await register('Otra vez')
    await expect(dialog).toHaveCount(0)
    const [first, second, third] = keys
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
    expect((await customer.client.from('transactions').select('id')).data).toHaveLength(2)
  },
)

test('a movement that was refused and corrected carries its own time, and its amount as a number', async ({
  page,
  administrator,
}) => {
  const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
  const isCall = isRequest('POST', '/functions/v1/manage-transactions')
  const sent: { amount: unknown; date: string }[] = []
  page.on('request', (request) => {
    if (!isCall(request)) return
    sent.push(
      (request.postDataJSON() as { transactionData: { amount: unknown; date: string } }).transactionData,
    )
  })
  await openAt(page, customer.email)
  await page.getByRole('button', { name: `Nueva transacción para ${customer.fullName}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Monto (COP)').fill('1,900.00')
  await dialog.getByLabel('Descripción').fill('Al \u202erevés')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expect(toast(page).getByRole('alert')).toContainText('Error en la transacción')
  await dialog.getByLabel('Descripción').fill('Al derecho')
  await dialog.getByRole('button', { name: 'Registrar' }).click()
  await expect(toast(page)).toContainText('Transacción registrada correctamente.')

  const [refused, corrected] = sent
  expect(refused?.amount).toBe(1900)
  expect(Date.parse(corrected?.date ?? '')).toBeGreaterThan(Date.parse(refused?.date ?? ''))
  const { data: row } = await customer.client.from('transactions').select('amount, date').single()
  expect({ ...row, date: new Date(row?.date ?? '').toISOString() }).toEqual({
    amount: 1900,
    date: corrected?.date,
  })
})

test(
  'a user whose creation was answered into the void is there once, and the dialog ends well',
  { tag: '@nightly' },
  async ({ page }) => {
    const email = newAddress()
    const keys = await loseFirstAnswer(page, '/functions/v1/manage-users')
    await page.goto('/admin')
    await page.getByRole('button', { name: 'Crear usuario' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Nombre completo').fill('Julia Peña')
    await dialog.getByLabel('Email').fill(email)
    await dialog.getByLabel('Contraseña').fill('una clave larga y mía')
    await dialog.getByRole('button', { name: 'Crear usuario' }).click()
    await expect(toast(page)).toContainText(lost)
    await dialog.getByRole('button', { name: 'Crear usuario' }).click()

    await expect(toast(page)).toContainText('Usuario creado correctamente.')
    await page.getByRole('searchbox').fill(email)
    await expect(page.getByRole('row').filter({ hasText: email })).toHaveCount(1)
    expect(keys).toEqual([keys[0], keys[0]])
  },
)

test(
  'a deletion whose answer was lost ends well when it is asked for again',
  { tag: '@nightly' },
  async ({ page, administrator }) => {
    const customer = await newPerson(administrator, { fullName: newName(), role: 'user' })
    const keys = await loseFirstAnswer(page, '/functions/v1/manage-users')
    await openAt(page, customer.email)
    page.on('dialog', (question) => void question.accept())
    const remove = page.getByRole('button', { name: `Eliminar a ${customer.fullName}` })
    await remove.click()
    await expect(toast(page)).toContainText(lost)
    await remove.click()

    await expect(toast(page)).toContainText('Usuario eliminado.')
    await expect(remove).toHaveCount(0)
    expect(keys).toEqual([keys[0], keys[0]])
  },
)
