/**
 * Tests the page without a connection. The tests cover the data that the page shows, the personal data that it stores
 * and deletes, and its updates.
 */
import { type BrowserContext, type Page, expect } from '@playwright/test'
import { startRedeployed } from './redeployed.ts'
import { type Person, customerTest as test, recordExpenses, sessionKey, storedSession } from './people.ts'
import { card, loginHeading, pageHeading, signOut } from './screens.ts'

// This timeout is long enough for the page to start and complete its preparation for offline use.
const prepared = { timeout: 20_000 }
test.use({ serviceWorkers: 'allow' })

const movement = 'Panadería La Espiga'
const connectionLine = (page: Page) => page.getByText(/^Sin conexión/)
const row = (page: Page, description: string) =>
  page.getByRole('main').getByText(description, { exact: true }).first()

/** Opens the dashboard and the history, and waits until both pages can be opened offline. */
async function seeEverything(page: Page, person: Person): Promise<void> {
  await recordExpenses(person, [{ description: movement, amount: 12.5, category: 'Comida' }])
  await page.goto('/dashboard')
  await expect(row(page, movement)).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Principal' })
    .getByRole('link', { name: 'Transacciones' })
    .click()
  await expect(row(page, movement)).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state), prepared)
    .toBe('activated')
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('finanzas-last-seen')), prepared)
    .toContain('history')
}

test('an offline page shows the last known figures with their time', async ({ page, context, person }) => {
  await seeEverything(page, person)
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/manifest.webmanifest')
  await context.setOffline(true)

  await page.goto('/dashboard')
  await expect(card(page, 'Detalles de la Banca').getByText('-$12.50', { exact: true })).toBeVisible()
  await expect(row(page, movement)).toBeVisible()
  await expect(connectionLine(page)).toHaveText(/^Sin conexión, datos de las? \d+:\d\d [ap]\. m\.$/)
  await page
    .getByRole('navigation', { name: 'Principal' })
    .getByRole('link', { name: 'Transacciones' })
    .click()
  await expect(row(page, movement)).toBeVisible()
  await expect(connectionLine(page)).toHaveText(/, datos de las? /)

  await recordExpenses(person, [{ description: 'Taxi', amount: 8, category: 'Transporte' }])
  await context.setOffline(false)
  await expect(row(page, 'Taxi')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/^(Sin conexión|Cifras)/)).toHaveCount(0)
})

test(
  'an offline page shows the last known figures even with an expired token',
  { tag: '@nightly' },
  async ({ page, context, person }) => {
    await seeEverything(page, person)
    await page.evaluate((key) => {
      const session: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
      localStorage.setItem(key, JSON.stringify({ ...(session as object), expires_at: 1 }))
    }, sessionKey)
    await context.setOffline(true)

    await page.goto('/transacciones')

    await expect(row(page, movement)).toBeVisible({ timeout: 5000 })
    await expect(connectionLine(page)).toHaveText(/, datos de las? /)
  },
)

/**
 * Returns the state of the new build's service worker. This worker waits until all pages of the old build are closed.
 */
async function waitingWorker(): Promise<string | undefined> {
  const registration = await navigator.serviceWorker.getRegistration()
  return registration?.waiting?.state
}

/** Returns everything that the browser stores for the page: caches, databases, storage and cookies. */
async function whatIsKept(context: BrowserContext, page: Page) {
  const inPage = await page.evaluate(async () => {
    const cached: [address: string, text: string][] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const { url } of await cache.keys())
        cached.push([new URL(url).pathname, await ((await cache.match(url))?.text() ?? '')])
    }
    return {
      cached,
      databases: (await indexedDB.databases()).map(({ name }) => name),
      storage: JSON.stringify([{ ...localStorage }, { ...sessionStorage }]),
    }
  })
  return { ...inPage, cookies: await context.cookies() }
}

async function expectNothingOf(person: Person, context: BrowserContext, page: Page): Promise<void> {
  const { cached, databases, storage, cookies } = await whatIsKept(context, page)
  // The first steps of a new customer stay, under a number that many customers share.
  expect(storage.replace(/"finanzas-start-\d+":"[a-z ]+"/, '')).toBe('[{},{}]')
  expect(databases).toEqual([])
  expect(cookies).toEqual([])
  expect(cached.length).toBeGreaterThan(10)
  for (const [address, text] of cached) {
    expect(address).toMatch(/^\/(?:$|config\.json$|assets\/)/)
    for (const own of [person.id, person.session.user.email ?? '', person.fullName, movement]) {
      expect(text.includes(own), `${address} has ${own}`).toBe(false)
    }
  }
}

test('after a sign-out, the browser stores no data of the customer', async ({ page, context, person }) => {
  await seeEverything(page, person)
  expect((await whatIsKept(context, page)).storage).toContain(movement)

  await signOut(page)

  await expectNothingOf(person, context, page)
})

test(
  'if the session was ended elsewhere, the page deletes the customer’s data at its next start',
  { tag: '@nightly' },
  async ({ page, context, person }) => {
    await seeEverything(page, person)
    await page.goto('about:blank')
    await person.client.auth.signOut()

    await page.goto('/dashboard')

    await expect(loginHeading(page)).toBeVisible()
    await expectNothingOf(person, context, page)
  },
)

test(
  'an update takes effect at the next start, and an open page can still load the chunks of its own build',
  { tag: '@nightly' },
  async ({ browser, person }) => {
    const site = await startRedeployed()
    const storageState = storedSession(person, site.origin)
    const context = await browser.newContext({ storageState, serviceWorkers: 'allow' })
    const builds = (page: Page) => page.evaluate(() => caches.keys())
    try {
      const open = await context.newPage()
      await open.goto(`${site.origin}/dashboard`)
      await expect
        .poll(() => open.evaluate(() => navigator.serviceWorker.controller?.state), prepared)
        .toBe('activated')
      const [before] = await builds(open)

      site.deploy()
      // Opens a dialog whose chunk the page has not fetched. The server no longer has this chunk, so it must come from
      // the offline storage.
      await open.getByRole('button', { name: '¿Por qué este saldo?' }).click()
      await expect(open.getByRole('dialog')).toBeVisible()
      await open.reload()
      await expect(pageHeading(open)).toBeVisible()
      expect(
        await open.evaluate(() => document.querySelector<HTMLScriptElement>('script[src]')?.src),
      ).toContain('-new.')
      await expect.poll(() => open.evaluate(waitingWorker), prepared).toBe('installed')
      await context.setOffline(true)
      await open.reload()
      await expect(pageHeading(open)).toBeVisible()
      await context.setOffline(false)

      await open.close()
      // It takes the browser some time to notice that the last page was closed.
      const openAgain = async () => {
        const next = await context.newPage()
        await next.goto(`${site.origin}/soporte`)
        await expect(pageHeading(next)).toHaveText('Soporte')
        const kept = await builds(next)
        await next.close()
        return kept
      }
      await expect.poll(openAgain, prepared).toHaveLength(1)
      expect(await openAgain()).not.toContain(before)
    } finally {
      await context.close()
      await site.close()
    }
  },
)

test(
  'an offline sign-out deletes the stored data at once and ends the session when the page is online again',
  { tag: '@nightly' },
  async ({ page, context, person }) => {
    await seeEverything(page, person)
    await context.setOffline(true)
    await signOut(page)

    await expect(loginHeading(page)).toBeVisible()
    expect(await page.evaluate((key) => localStorage.getItem(key), sessionKey)).toBeNull()
    expect(await page.evaluate(() => localStorage.getItem('finanzas-last-seen'))).toBeNull()
    await page.goto('/transacciones')
    await expect(loginHeading(page)).toBeVisible()
    await expect(page.getByText(movement)).toHaveCount(0)

    const ended = page.waitForResponse((answer) => answer.url().includes('/auth/v1/logout'))
    await context.setOffline(false)

    expect((await ended).status()).toBe(204)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('finanzas-unended-session'))).toBeNull()
  },
)
