/** Checks that no amount is wrapped, cut off or outside the screen on any route, at any width and at any text size. */
import { type Page, expect } from '@playwright/test'
import { population } from '#testing/population.ts'
import { staysWhole, textPercents, widths } from './amount-rules.ts'
import {
  type Person,
  newPerson,
  recordByBank,
  recordExpenses,
  storedSession,
  test as base,
} from './people.ts'
import { pageHeading } from './screens.ts'
import { transferTest } from './transfer-bank.ts'

const currencies = ['USD', 'COP']
const moneyRoutes = [
  '/dashboard',
  '/resumen',
  '/extractos',
  '/presupuesto',
  '/recurrentes',
  '/transacciones',
  '/cuentas',
]
const otherRoutes = [
  '/documentos',
  '/soporte',
  '/perfil',
  '/categorias',
  '/admin',
  '/admin?vista=hoy',
  '/admin?vista=registro',
]

/**
 * A test whose page is signed in as an administrator, because administrators can open every route. The account has
 * amounts of every length.
 */
const test = base.extend<object, { person: Person }>({
  person: [
    async ({ administrator }, use) => {
      const person = await newPerson(administrator, population.administrator)
      const amounts = [4.5, 41.57, 1234.56, 98_765.43, 1_234_567.89, 999_999_999.99]
      await recordExpenses(
        person,
        amounts.map((amount, number) => ({
          description:
            ['Café', 'Un mercado con una descripción bastante larga para un celular'][number % 2] ?? '',
          amount,
          category: ['Comida', 'Entretenimiento', 'Mascotas y otros animales de la casa'][number % 3] ?? null,
        })),
      )
      for (const amount of [320.75, 999_999_999_999.99]) {
        const description = 'Nómina'
        await recordByBank(administrator, person, {
          type: 'deposit',
          description,
          amount,
          category: 'Deposito',
        })
      }
      await person.client.from('budgets').update({ monthly_limit: 999_999_999.99 }).eq('user_id', person.id)
      for (const [category, monthly_limit] of [
        ['Comida', 1],
        ['Entretenimiento', 999_999_999_999.99],
      ])
        await person.client.rpc('set_category_budget', { category, monthly_limit, carries_over: true })
      for (const amount of [4.5, 98_765.43, 999_999_999_999.99])
        await person.client.rpc('save_recurring_expense', {
          id: crypto.randomUUID(),
          description: 'Una cuota con una descripción bastante larga para un celular',
          amount,
          rhythm: 'monthly',
          next_due_on: new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10),
        })
      await use(person)
    },
    { scope: 'worker' },
  ],
  storageState: async ({ person }, use) => use(storedSession(person)),
})

test('the longest amount fits on the smallest screen', async ({ page }) => {
  await open(page, '/transacciones', 'COP')
  await staysWhole(page, { width: 320, textPercent: 200 })
  await staysWhole(page, { width: 390, textPercent: 125 })
  await staysWhole(page, { width: 1280, textPercent: 100 })
})

test.describe('nightly', { tag: '@nightly' }, () => {
  for (const currency of currencies) {
    for (const route of [...moneyRoutes, ...otherRoutes]) {
      test(`${route} shows complete amounts in ${currency} at any width and text size`, async ({ page }) => {
        await open(page, route, currency)
        for (const width of widths)
          for (const textPercent of textPercents) await staysWhole(page, { width, textPercent })
      })
    }
  }
})

transferTest.describe('nightly', { tag: '@nightly' }, () => {
  for (const currency of currencies) {
    transferTest(
      `/transferencias shows complete amounts in ${currency} at any width and text size`,
      async ({ bank, openAs }) => {
        const page = await openAs(await bank.newPerson(population.customer))
        await answerWithLongTransfers(page)
        await open(page, '/transferencias', currency)
        for (const width of widths)
          for (const textPercent of textPercents) await staysWhole(page, { width, textPercent })
      },
    )
  }
})

/** Answers the page's requests with the longest amounts, which are above every limit of the bank. */
async function answerWithLongTransfers(page: Page): Promise<void> {
  const amount = 999_999_999_999.99
  const account = {
    balance: amount,
    reserved: amount,
    available: amount,
    limits: ['transfer', 'day'].map((name) => ({ name, bank_max: amount, own_max: null, left_max: amount })),
    automatic_max: amount - 1,
    automatic_day_max: amount,
  }
  await page.route('**/rpc/transfer_account', (route) => route.fulfill({ json: account }))
  await page.route('**/rest/v1/requests?**', (route) => {
    const isOpen = route.request().url().includes('status=in')
    const at = '2026-11-26T12:00:00+00:00'
    const transfer = {
      id: crypto.randomUUID(),
      status: isOpen ? 'waiting' : 'done',
      payer: crypto.randomUUID(),
      payee_name: 'Una persona con un nombre bastante largo para un celular',
      amount,
      description: 'Una transferencia con una descripción bastante larga para un celular',
      due_on: null,
      asked_at: at,
      expires_at: at,
      ended_at: isOpen ? null : at,
      reason: null,
    }
    return route.fulfill({ json: [transfer] })
  })
}

/** Opens the route with the given currency and waits for its amounts. */
async function open(page: Page, route: string, displayCurrency: string): Promise<void> {
  await page.route('**/config.json', async (request) => {
    const response = await request.fetch()
    await request.fulfill({ response, json: { ...(await response.json()), displayCurrency } })
  })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(route)
  await expect(pageHeading(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  const amounts = page.locator('[data-money]')
  if ([...moneyRoutes, '/transferencias'].includes(route))
    await expect.poll(() => amounts.count()).toBeGreaterThan(2)
}
