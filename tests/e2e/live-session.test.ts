/** What a page does when the session or the network fails. */
import { type Page, expect } from '@playwright/test'
import { recordExpenses } from './accounts.ts'
import { customerTest as test } from './signed-in.ts'

const storageKey = 'sb-127-auth-token'

const row = (page: Page, description: string) =>
  page.getByRole('main').getByText(description, { exact: true })

test(
  'a refresh that is refused or late never shows an empty history, nor the login',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, [{ description: 'Sigue aquí', amount: 3, category: 'Otro' }])
    let refusals = 0
    await page.route('**/auth/v1/token?grant_type=refresh_token', async (route) => {
      refusals += 1
      if (refusals > 2) return route.fallback()
      return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: { code: 'unavailable' } })
    })
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => seen.push(document.querySelector('#root')?.textContent ?? '')).observe(
        document,
        {
          childList: true,
          subtree: true,
        },
      )
    })
    await page.goto('/favicon.svg')
    await page.evaluate(
      ([key, session]) => localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 })),
      [storageKey, person.session] as const,
    )
    await page.goto('/transacciones')

    await expect(row(page, 'Sigue aquí')).toBeVisible({ timeout: 45_000 })
    expect(refusals).toBeGreaterThan(2)
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen.join('\n'))
    expect(seen).toContain('Sigue aquí')
    expect(seen).not.toContain('No se encontraron transacciones')
    expect(seen).not.toContain('Bienvenido a Finanzas')
  },
)

test(
  'a read that the server refuses is shown as not there, without a sentence; trying again brings it',
  { tag: '@nightly' },
  async ({ page, person }) => {
    await recordExpenses(person, [{ description: 'Sigue aquí', amount: 3, category: 'Otro' }])
    // A live connection that comes late reads everything again by itself, before the button is pressed.
    await page.routeWebSocket(/\/realtime\/v1\/websocket/, (socket) => socket.close())
    for (const status of [429, 503]) {
      await page.route('**/rest/v1/transactions?select=*&user_id=*', (route) =>
        route.fulfill({ status, json: { code: 'unavailable', message: 'x', details: null, hint: null } }),
      )
      await page.goto('/transacciones')
      const main = page.getByRole('main')
      await expect(main.getByRole('button', { name: 'Reintentar' })).toBeVisible({ timeout: 45_000 })
      await expect(main).toHaveText(/^Transacciones\s*—\s*Reintentar$/)
      // Figures that are not there are from no time.
      await expect(page.getByText('Cifras:')).toHaveCount(0)
      await page.unrouteAll()
      await main.getByRole('button', { name: 'Reintentar' }).click()
      await expect(row(page, 'Sigue aquí')).toBeVisible()
    }
  },
)

test('signing out in one tab signs out the others, and nothing is logged as a failure', async ({
  page,
  context,
}) => {
  const logged: string[] = []
  const other = await context.newPage()
  for (const tab of [page, other]) tab.on('console', (message) => logged.push(message.text()))
  await page.goto('/dashboard')
  await other.goto('/transacciones')
  await expect(other.getByRole('heading', { name: 'Transacciones' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cerrar Sesión' })).toBeVisible()

  await page.getByRole('button', { name: 'Cerrar Sesión' }).click()

  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: 'Bienvenido a Finanzas' })).toBeVisible()
    expect(await tab.evaluate((key) => localStorage.getItem(key), storageKey)).toBeNull()
  }
  expect(logged.filter((line) => line.includes('live updates'))).toEqual([])
})

test('a page that could not be fetched is fetched when asked again, without a reload', async ({ page }) => {
  await page.route(/\/assets\/support-page-/, (route) => route.abort())
  await page.goto('/dashboard')
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('link', { name: 'Soporte' }).click()
  await expect(page.getByRole('alert').getByText('Algo salió mal')).toBeVisible()

  await page.unrouteAll()
  await page.getByRole('button', { name: 'Reintentar' }).click()

  await expect(page.getByRole('heading', { level: 1, name: 'Soporte' })).toBeVisible()
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})

test('a phone without network says so within seconds, and catches up by itself when it is back', async ({
  page,
  person,
  context,
}) => {
  const offlineLine = page.getByText(/^Sin conexión/)
  await recordExpenses(person, [{ description: 'Antes', amount: 3, category: 'Otro' }])
  await page.goto('/dashboard')
  await expect(row(page, 'Antes')).toBeVisible()
  await context.setOffline(true)
  await expect(offlineLine).toBeVisible()
  await expect(row(page, 'Antes')).toBeVisible()

  await recordExpenses(person, [{ description: 'Mientras tanto', amount: 4, category: 'Otro' }])
  await context.setOffline(false)

  await expect(row(page, 'Mientras tanto')).toBeVisible({ timeout: 30_000 })
  await expect(offlineLine).toBeHidden()
})
