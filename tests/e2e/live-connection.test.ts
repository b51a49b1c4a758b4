/** A lost connection comes back by itself, and then the screen equals the database. The server is the test’s own. */
import { createHmac } from 'node:crypto'
import { type Page, expect, test as base } from '@playwright/test'
import { type Person, signUp } from '#testing/people.ts'
import { type TestServer, startServer, testEnvironment } from '#testing/server.ts'
import { sessionKey } from './people.ts'

const jwtSecret = 'a secret of a test, as long as it has to be: 32 and more'
/** The server believes a token for this long after its expiry, for clocks that differ. */
const clockSkewSeconds = 30
/** What is old says from when it is; that the connection was lost is not said (docs/specification.md §8). */
const staleLine = /^Cifras: \d+:\d\d [ap]/

const test = base.extend<{ customer: Person }, { server: TestServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its first parameter
    async ({}, use) => {
      const server = await startServer({
        environment: {
          ...testEnvironment,
          JWT_SECRET: jwtSecret,
          AUTH_AUTOCONFIRM: 'true',
          AVATAR_URL: '',
          CHART_URL: '',
        },
      })
      await use(server)
      await server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  customer: async ({ server }, use) => {
    await use(await signUp(server))
  },
})

test.describe.configure({ mode: 'default', timeout: 120_000 })

const row = (page: Page, description: string) =>
  page.getByRole('main').getByText(description, { exact: true })

/** Opens the page as the customer; what is in storage is what was put there last. */
async function openAs(page: Page, { url }: TestServer, { session }: Person, path: string): Promise<void> {
  await page.goto(`${url}/favicon.svg`)
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    sessionKey,
    JSON.stringify(session),
  ] as const)
  await page.goto(`${url}${path}`)
}

async function record({ client, id }: Person, description: string): Promise<void> {
  const expense = { user_id: id, type: 'expense', description, amount: 3, category: 'Otro' }
  const { error } = await client.from('transactions').insert(expense)
  expect(error).toBeNull()
}

test(
  'a server that died and came back: figures say from when they are, then everything that happened meanwhile',
  { tag: '@nightly' },
  async ({ page, server, customer }) => {
    await record(customer, 'Antes')
    await record(customer, 'Borrada entretanto')
    await openAs(page, server, customer, '/transacciones')
    await expect(row(page, 'Antes')).toBeVisible()
    await record(customer, 'En vivo')
    await expect(row(page, 'En vivo')).toBeVisible()

    await server.stop('SIGKILL')
    await expect(page.getByText(staleLine)).toBeVisible({ timeout: 45_000 })
    await expect(page.getByText(staleLine)).toHaveCount(1)
    await expect(page.getByText('Sin conexión')).toHaveCount(0)
    await expect(row(page, 'Antes')).toBeVisible()
    await server.start()
    await record(customer, 'Mientras nadie oía')
    await customer.client.from('transactions').delete().eq('description', 'Borrada entretanto')

    await expect(row(page, 'Mientras nadie oía')).toBeVisible({ timeout: 30_000 })
    await expect(row(page, 'Borrada entretanto')).toBeHidden()
    await expect(page.getByText(staleLine)).toBeHidden()
    await record(customer, 'Y otra vez en vivo')
    await expect(row(page, 'Y otra vez en vivo')).toBeVisible()
    await expect(page.getByRole('main').getByText('4 movimientos')).toBeVisible()
  },
)

test(
  'a channel that closed because its token expired is joined again with the next one',
  { tag: '@nightly' },
  async ({ page, server, customer }) => {
    // The server is about to stop believing this token; the client has not noticed.
    const expiring = tokenWith(customer.session.access_token, jwtSecret, {
      exp: Math.floor(Date.now() / 1000) - clockSkewSeconds + 12,
    })
    const session = { ...customer.session, access_token: expiring }
    await record(customer, 'Primera')
    const lost = page.waitForEvent('console', {
      predicate: (message) => message.text().startsWith('live updates'),
      timeout: 60_000,
    })
    await openAs(page, server, { ...customer, session }, '/transacciones')
    await expect(row(page, 'Primera')).toBeVisible()
    await lost

    // It notices, as it would after a laptop’s sleep.
    await page.evaluate((key) => {
      const stored = JSON.parse(localStorage.getItem(key) ?? '{}') as Record<string, unknown>
      localStorage.setItem(key, JSON.stringify({ ...stored, expires_at: 1 }))
    }, sessionKey)

    await record(customer, 'Después')
    await expect(row(page, 'Después')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByText(staleLine)).toBeHidden()
  },
)

/** The token with other claims, signed as the server signs. */
function tokenWith(token: string, secret: string, claims: Record<string, unknown>): string {
  const [header = '', payload = ''] = token.split('.')
  const read = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const written = Buffer.from(JSON.stringify({ ...read, ...claims })).toString('base64url')
  const signature = createHmac('sha256', secret).update(`${header}.${written}`).digest('base64url')
  return `${header}.${written}.${signature}`
}
