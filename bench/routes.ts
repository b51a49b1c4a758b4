/** From the key that signs in to a painted dashboard, from route to route, and what each route weighs. */
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { type BrowserPlace, inBrowser } from './browser-place.ts'
import { emailOf } from './customers.ts'
import { type Metric, atMost, known, median, quantile } from './metric.ts'
import { password } from './history-directory.ts'
import type { Scenario } from './scenario.ts'

const openings = 5
const kilobyte = 1000
/** kB of gzip; the same budgets are held by tests/e2e/weight.test.ts, in every run of the tests. */
const weights = { '/login': 105, '/dashboard': 175 } as const
const routes = ['/transacciones', '/cuentas', '/documentos', '/soporte', '/perfil'] as const

export const routeChanges: Scenario = {
  title: 'Browser: sign-in to dashboard, route changes, weight of each route',
  limit: 'none: the lines are the issue’s own, in bytes; times are reported',
  peers: 'none: what peers send is listed in bytes by their own builds, not by a page like this',
  needs: ['browser'],
  run: (places) =>
    inBrowser(places, async (place) => [
      ...(await signInTimes(place)),
      ...(await changeTimes(place)),
      ...(await routeWeights(place)),
    ]),
}

async function signInTimes({ openPage, origin }: BrowserPlace): Promise<Metric[]> {
  const times: number[] = []
  for (let round = 0; round < openings; round += 1) {
    const page = await openPage(null)
    await page.goto(`${origin}/login`)
    await page.getByLabel('Email').fill(emailOf(1))
    await page.getByLabel('Contraseña', { exact: true }).fill(password)
    await page.waitForLoadState('networkidle')
    const startedAt = performance.now()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Ver todo' }).waitFor()
    await page.locator('main li').first().waitFor()
    times.push(performance.now() - startedAt)
    await page.context().close()
  }
  return [known('sign-in to the latest movements on the dashboard, p50', median(times), 'ms')]
}

async function changeTimes({ openPage, origin }: BrowserPlace): Promise<Metric[]> {
  const page = await openPage(1)
  await page.goto(`${origin}/dashboard`)
  await page.waitForLoadState('networkidle')
  const times: number[] = []
  for (let round = 0; round < openings; round += 1)
    for (const route of [...routes, '/dashboard']) times.push(await changeTime(page, route))
  await page.context().close()
  return [
    known('from a route’s link to its heading on the screen, p50', median(times), 'ms'),
    known('from a route’s link to its heading on the screen, p95', quantile(times, 0.95), 'ms'),
  ]
}

/** Measured in the page itself: the way from here to the browser is none of the customer's. */
function changeTime(page: Page, route: string): Promise<number> {
  return page.evaluate(async (wanted) => {
    const link = document.querySelector<HTMLAnchorElement>(`a[href="${wanted}"]`)
    if (link === null) throw new Error(`No link leads to ${wanted}.`)
    const before = document.querySelector('h1')
    const startedAt = performance.now()
    link.click()
    while (document.querySelector('h1') === before || document.querySelector('h1') === null)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - startedAt
  }, route)
}

async function routeWeights({ openPage, origin }: BrowserPlace): Promise<Metric[]> {
  const metrics: Metric[] = []
  for (const route of ['/login', '/dashboard', ...routes] as const) {
    const page = await openPage(route === '/login' ? null : 1)
    // The client comes after the form is on the screen.
    if (route === '/login') await page.route(/\/assets\/supabase-/, (request) => request.abort())
    const asked = new Set<string>()
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script') asked.add(request.url())
    })
    await page.goto(origin + route)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const painted = [...asked]
    const bodies = await Promise.all(painted.map(async (url) => (await page.request.get(url)).body()))
    const kilobytes = bodies.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0) / kilobyte
    const what = `${route}, scripts until its heading is on the screen`
    metrics.push(
      route === '/login' || route === '/dashboard'
        ? atMost(what, kilobytes, weights[route], 'kB')
        : known(what, kilobytes, 'kB'),
    )
    await page.context().close()
  }
  return metrics
}
