/** Size limits, in gzip bytes, for the files that a page of the production build loads before it is painted. */
import { gzipSync } from 'node:zlib'
import { type Page, expect, test as base } from '@playwright/test'
import { administratorTest } from './people.ts'
import { customerRoutes, pageHeading, staffRoutes } from './screens.ts'

const kilobyte = 1000
const stylesMax = 10 * kilobyte
const fontMax = 25 * kilobyte
const loginScriptsMax = 95 * kilobyte
const dashboardScriptsMax = 172 * kilobyte
const anyRouteScriptsMax = 182 * kilobyte
/**
 * Shortest delay of a timer that the page uses for prefetching other pages. The test stops these timers, so that the
 * code of prefetched pages is not counted even if a slow machine paints late.
 */
const prefetchDelayMs = 2500

/** Opens a route with an empty cache, and sums the gzip sizes of the assets that the page loads until it is painted. */
async function weigh(page: Page, route: string, isPainted: (page: Page) => Promise<void>) {
  const asked = new Map<string, string>()
  await page.addInitScript(dropLongTimers, prefetchDelayMs)
  page.on('requestfinished', (request) => asked.set(request.url(), request.resourceType()))
  await page.goto(route)
  await isPainted(page)
  const files = await Promise.all(
    [...asked]
      .filter(([url]) => new URL(url).pathname.startsWith('/assets/'))
      .map(async ([url, type]) => {
        const body = await (await page.request.get(url)).body()
        // Fonts are already compressed. All other files are compressed with the settings that the server uses for its
        // `.gz` files.
        return { type, url, bytes: type === 'font' ? body.length : gzipSync(body, { level: 9 }).length }
      }),
  )
  const bytesOf = (wanted: string) => files.filter(({ type }) => type === wanted).map(({ bytes }) => bytes)
  const total = (bytes: readonly number[]) => bytes.reduce((sum, one) => sum + one, 0)
  return {
    scripts: total(bytesOf('script')),
    styles: total(bytesOf('stylesheet')),
    fonts: bytesOf('font'),
    names: files.map(({ url, bytes }) => `${url.split('/').at(-1)} ${bytes}`).join(', '),
  }
}

/** Prevents timers of `delayMs` or more from firing. The function runs in the page, before the page's scripts. */
function dropLongTimers(delayMs: number): void {
  const start = window.setTimeout
  window.setTimeout = ((handler: () => void, ms = 0, ...values: unknown[]) =>
    ms < delayMs ? start(handler, ms, ...values) : 0) as typeof window.setTimeout
}

async function settled(page: Page): Promise<void> {
  await expect(pageHeading(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
}

base.describe('nightly', { tag: '@nightly' }, () => {
  base(
    'the login is painted with 95 kB of scripts, 10 kB of styles and one font of 25 kB',
    async ({ page }) => {
      // The form must not need the client, which loads later. The test therefore blocks the client's chunk and still
      // expects the form.
      await page.route(/\/assets\/supabase-/, (route) => route.abort())
      const { scripts, styles, fonts, names } = await weigh(page, '/login', settled)

      expect(scripts, names).toBeLessThanOrEqual(loginScriptsMax)
      expect(scripts).toBeGreaterThan(0)
      expect(styles).toBeLessThanOrEqual(stylesMax)
      expect(fonts).toHaveLength(1)
      expect(fonts[0]).toBeLessThanOrEqual(fontMax)
    },
  )

  administratorTest('the dashboard is painted with 172 kB of scripts', async ({ page }) => {
    // The test blocks the chunks that load after the figures: pictures, the market chart and the first steps.
    const later = /\/assets\/(money-pictures|month-totals|geometry|market-chart|first-steps|use-kept-focus)-/
    await page.route(later, (route) => route.abort())
    const { scripts, styles, names } = await weigh(page, '/dashboard', () =>
      expect(page.getByText('$0.00').first()).toBeVisible(),
    )

    expect(scripts, names).toBeLessThanOrEqual(dashboardScriptsMax)
    expect(scripts).toBeGreaterThan(loginScriptsMax)
    expect(styles).toBeLessThanOrEqual(stylesMax)
  })

  for (const route of [...customerRoutes, ...staffRoutes]) {
    administratorTest(
      `${route} needs at most ${anyRouteScriptsMax / kilobyte} kB of scripts when it is opened first`,
      async ({ page }) => {
        const { scripts, names } = await weigh(page, route, settled)

        expect(scripts, names).toBeLessThanOrEqual(anyRouteScriptsMax)
        expect(names).toContain('-page-')
      },
    )
  }
})
