/**
 * The dialog `¿Por qué este saldo?`: the parts add up to the balance, and the browser verifies a chain that a real
 * server wrote.
 */
import type { SupabaseClient } from '@supabase/supabase-js'
import { type Page, type Request, expect } from '@playwright/test'
import { holdRequests, isRequest, refuseRequests } from './held-requests.ts'
import { type Person, recordByBank, recordExpenses, customerTest as test } from './people.ts'

const journal = isRequest('GET', '/rest/v1/journal_entries')
const opener = (page: Page) => page.getByRole('button', { name: '¿Por qué este saldo?' })
const dialog = (page: Page) => page.getByRole('dialog', { name: '¿Por qué este saldo?' })
const verdict = (page: Page) => dialog(page).getByRole('status')

const secondPage = (request: Request) => journal(request) && request.url().includes('gt.1000')

/** Records `count` expenses of ten cents each, in batches of 400. */
async function recordCoffees(person: Person, count: number): Promise<void> {
  const expense = { description: 'Café', amount: 0.1, category: 'Comida' }
  for (let recorded = 0; recorded < count; recorded += 400)
    await recordExpenses(
      person,
      Array.from({ length: 400 }, () => expense),
    )
}

/**
 * Adds a deposit of 100 and expenses of 30.10 and 0.20, and deletes the first expense. The journal then has four
 * entries and a balance of 99.80.
 */
async function fillAccount(person: Person, administrator: SupabaseClient): Promise<void> {
  const deposit = { type: 'deposit', description: 'Nómina', amount: 100, category: 'Deposito' } as const
  await recordByBank(administrator, person, deposit)
  await recordExpenses(person, [
    { description: 'Mercado', amount: 30.1, category: 'Comida' },
    { description: 'Bus', amount: 0.2, category: 'Transporte' },
  ])
  const { error } = await person.client.from('transactions').delete().eq('description', 'Mercado')
  expect(error).toBeNull()
}

async function openAndVerify(page: Page): Promise<void> {
  await page.goto('/dashboard')
  await opener(page).click()
  await dialog(page).getByRole('button', { name: 'Verificar' }).click()
}

test('the explanation of the balance adds up, and the verification of the chain succeeds', async ({
  page,
  person,
  administrator,
}) => {
  await fillAccount(person, administrator)
  await openAndVerify(page)

  await expect(dialog(page).getByRole('term')).toHaveText([
    'Saldo inicial',
    'Depósitos',
    'Gastos',
    /^Correcciones/,
    'Saldo',
    /^Saldo según el banco/,
    /^Tus anotaciones/,
  ])
  await expect(dialog(page).getByRole('definition')).toHaveText([
    '$0.00',
    '+$100.00',
    '-$30.30',
    '+$30.10',
    '$99.80',
    '$100.00',
    '-$0.20',
  ])
  await expect(dialog(page)).toContainText(
    /Tu libro tiene 4 registros\. El último es del \d+ de \w+ de \d{4}.+: gasto anulado\./,
  )
  await expect(verdict(page)).toHaveText(
    'Todo coincide: los 4 registros están intactos, cada uno sigue al anterior y suman tu saldo exacto.',
  )
  await expect(dialog(page).getByRole('button', { name: 'Verificar' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(opener(page)).toBeFocused()
})

test('the verification of a new account’s empty history succeeds', { tag: '@nightly' }, async ({ page }) => {
  await openAndVerify(page)

  await expect(dialog(page)).toContainText('Tu libro aún no tiene registros.')
  await expect(verdict(page)).toHaveText('Todo coincide: no hay registros y tu saldo es cero.')
})

test(
  'over plain HTTP, the page shows that it cannot run the verification',
  { tag: '@nightly' },
  async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'isSecureContext', { value: false })
      Object.defineProperty(crypto, 'subtle', { value: undefined })
    })
    await page.goto('/dashboard')
    await opener(page).click()

    await expect(dialog(page)).toContainText(
      'Tu navegador solo puede verificar cuando la dirección empieza por https.',
    )
    await expect(dialog(page).getByRole('button', { name: 'Verificar' })).toHaveCount(0)
  },
)

test.describe('nightly', { tag: '@nightly' }, () => {
  test('a worker verifies a history of several pages, and the dialog shows its progress', async ({
    page,
    person,
  }) => {
    await recordCoffees(person, 1200)
    const held = await holdRequests(page, secondPage)
    await openAndVerify(page)
    await expect(dialog(page).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '1000')
    await expect(dialog(page).getByRole('progressbar')).toHaveAttribute('aria-valuemax', '1200')
    expect(page.workers()).toHaveLength(1)
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect.poll(() => page.workers()).toEqual([])
    held.release()

    await openAndVerify(page)

    await expect(verdict(page)).toContainText('Todo coincide: los 1.200 registros')
    await expect(dialog(page).getByRole('definition').last()).toHaveText('-$120.00')
    await expect.poll(() => page.workers()).toEqual([])
  })

  test('a failed verification can be retried, and a changed amount is reported', async ({
    page,
    person,
    administrator,
  }) => {
    await fillAccount(person, administrator)
    await refuseRequests(page, journal, { status: 500, body: { code: 'XX000', message: 'no' } })
    await openAndVerify(page)
    await expect(dialog(page)).toContainText('No se pudo leer tu libro hasta el final.')
    await expect(verdict(page)).toHaveText('')
    await page.unrouteAll()
    await changeAnswers(page, (entries) =>
      entries.map((entry) => (entry.seq === 3 ? { ...entry, delta: -0.21 } : entry)),
    )

    await dialog(page).getByRole('button', { name: 'Reintentar' }).click()

    await expect(verdict(page)).toHaveText(
      /^No coincide en el registro 3 \(gasto anotado, \d+ \w+\): no es lo que se registró\./,
    )
  })
})

type Entry = { seq: number; delta: number }

/** Modifies the server's answers to reads of the journal. The page gets only the modified answers. */
async function changeAnswers(page: Page, change: (entries: Entry[]) => Entry[]): Promise<void> {
  await page.route('**/*', async (route) => {
    if (!journal(route.request())) return route.fallback()
    const response = await route.fetch()
    return route.fulfill({ response, json: change((await response.json()) as Entry[]) })
  })
}
