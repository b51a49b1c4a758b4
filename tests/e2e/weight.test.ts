/** Budgets in bytes of gzip for what a page loads before it is painted, measured in a browser on the production build. */
import { gzipSync } from 'node:zlib'
import { type Page, expect, test as base } from '@playwright/test'
import { administratorTest } from './signed-in.ts'

const kilobyte = 1000
const budgets = {
  loginScripts: 105 * kilobyte,
  dashboardScripts: 175 * kilobyte,
  anyRouteScripts: 190 * kilobyte,
  styles: 10 * kilobyte,
  font: 25 * kilobyte,
}

const routes = ['/transacciones', '/cuentas', '/documentos', '/soporte', '/perfil', '/admin']

type Weight = { scripts: number; styles: number; fonts: readonly number[]; names: readonly string[] }

/** Opens a route in an empty cache and weighs what arrived until `isPainted`. */
async function weigh(page: Page, route: string, isPainted: () => Promise<void>): Promise<Weight> {
  const asked: { type: string; url: string }[] = []
  page.on('requestfinished', (request) => asked.push({ type: request.resourceType(), url: request.url() }))
  await page.goto(route)
  await isPainted()
  const own = asked.filter(({ url }) => new URL(url).pathname.startsWith('/assets/'))
  const sizes = await Promise.all(
    [...new Map(own.map((file) => [file.url, file])).values()].map(async ({ type, url }) => {
      const body = await (await page.request.get(url)).body()
      // A font is compressed already; texts weigh what the server's `.gz` beside them weighs.
      return { type, url, bytes: type === 'font' ? body.length : gzipSync(body, { level: 9 }).length }
    }),
  )
  const bytesOf = (wanted: string) => sizes.filter(({ type }) => type === wanted).map(({ bytes }) => bytes)
  const total = (bytes: readonly number[]) => bytes.reduce((sum, one) => sum + one, 0)
  return {
    scripts: total(bytesOf('script')),
    styles: total(bytesOf('stylesheet')),
    fonts: bytesOf('font'),
    names: sizes.map(({ url, bytes }) => `${url.split('/').at(-1)} ${bytes}`),
  }
}

const settled = (page: Page) => async () => {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
}

base(
  'the login is painted with 105 kB of scripts, 10 kB of styles and one font of 25 kB',
  { tag: '@nightly' },
  async ({ page }) => {
    // The client comes after the form is on the screen: here it never comes, and the form is there all the same.
    await page.route(/\/assets\/supabase-/, (route) => route.abort())
    const { scripts, styles, fonts, names } = await weigh(page, '/login', settled(page))

    expect(scripts, names.join(', ')).toBeLessThanOrEqual(budgets.loginScripts)
    expect(scripts).toBeGreaterThan(0)
    expect(styles).toBeLessThanOrEqual(budgets.styles)
    expect(fonts).toHaveLength(1)
    expect(fonts[0]).toBeLessThanOrEqual(budgets.font)
  },
)

administratorTest(
  'the dashboard is painted with 175 kB of scripts',
  { tag: '@nightly' },
  async ({ page }) => {
    const { scripts, styles, names } = await weigh(page, '/dashboard', async () => {
      await expect(page.getByText('$0.00').first()).toBeVisible()
    })

    expect(scripts, names.join(', ')).toBeLessThanOrEqual(budgets.dashboardScripts)
    expect(scripts).toBeGreaterThan(budgets.loginScripts)
    expect(styles).toBeLessThanOrEqual(budgets.styles)
  },
)

for (const route of routes) {
  administratorTest(
    `${route} needs no more than 190 kB of scripts, opened first`,
    { tag: '@nightly' },
    async ({ page }) => {
      const { scripts, names } = await weigh(page, route, settled(page))

      expect(scripts, names.join(', ')).toBeLessThanOrEqual(budgets.anyRouteScripts)
      expect(names.some((name) => name.includes('-page-'))).toBe(true)
    },
  )
}
