/**
 * Opens the built page in a real browser against the embedded server, for customers with 1,000, 10,000 or 100,000
 * transactions.
 */
import { type Browser, type Page, chromium } from '@playwright/test'
import { findTestBrowser } from '#tools/set-up/browser.mjs'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'
import { startMeasured } from '#bench/fixtures/server-process.ts'
import { claimsOf, tokenKeyOf } from '#bench/fixtures/wire-request.ts'

/** The environment in which a browser scenario runs. */
export type BrowserPlace = {
  readonly browser: Browser
  /** Origin of the page. */
  readonly origin: string
  /** Opens a new page that is signed in as the given customer, or signed out if `customer` is `null`. */
  readonly openPage: (customer: number | null) => Promise<Page>
  /** Returns an access token of the given customer. */
  readonly tokenOf: (customer: number) => Promise<string>
}

/**
 * Starts a browser, and a server whose data directory is a copy of the bank with the long histories. `environment` is
 * added to the server's settings. Stops the browser and the server when `act` has finished.
 */
export async function inBrowser<T>(
  fixtures: Fixtures,
  act: (place: BrowserPlace) => Promise<T>,
  environment: Readonly<Record<string, string>> = {},
): Promise<T> {
  const server = await startMeasured({
    DATA_DIR: await (await fixtures.histories()).copy(),
    AVATAR_URL: '',
    CHART_URL: '',
    // If `SITE_URL` is unset, the page's origin is the address on which the server listens.
    SITE_URL: undefined,
    ...environment,
  })
  await using closers = new AsyncDisposableStack()
  closers.defer(async () => {
    await server.stop()
  })
  const executablePath = await findTestBrowser()
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  closers.defer(() => browser.close())
  return await act({
    browser,
    origin: `http://127.0.0.1:${server.port}`,
    tokenOf: async (customer) => (await sessionOf(customer, server.port)).access_token,
    async openPage(customer) {
      const context = await browser.newContext({
        locale: 'es-CO',
        viewport: { width: 1280, height: 800 },
      })
      const page = await context.newPage()
      if (customer !== null) {
        const session = JSON.stringify(await sessionOf(customer, server.port))
        await page.addInitScript((value) => localStorage.setItem('sb-127-auth-token', value), session)
      }
      return page
    },
  })
}

/** Returns a new session in the form in which supabase-js stores it. */
async function sessionOf(number: number, port: number) {
  const key = await tokenKeyOf(`http://localhost:${port}`)
  const claims = claimsOf(number, key.issuer)
  return {
    access_token: await key.sign(claims),
    refresh_token: 'none',
    token_type: 'bearer',
    expires_in: claims.exp - claims.iat,
    expires_at: claims.exp,
    user: {
      id: claims.sub,
      aud: claims.aud,
      role: claims.role,
      email: claims.email,
      app_metadata: claims.app_metadata,
      user_metadata: claims.user_metadata,
      created_at: new Date().toISOString(),
    },
  }
}
