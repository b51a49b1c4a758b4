/**
 * Holds, counts or answers a page's requests. Tests are allowed to mock a browser's requests, because these requests
 * are the edge of the network (STYLE.md, Tests).
 */
import { type Page, type Request, type Route, expect } from '@playwright/test'

/** Holds matching requests until `release` is called. `count` returns how many matching requests were sent. */
export async function holdRequests(page: Page, matches: (request: Request) => boolean) {
  let count = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*', async (route) => {
    if (!matches(route.request())) return route.fallback()
    count += 1
    await released
    return route.fallback()
  })
  return { count: () => count, release }
}

/** Answers matching requests with the given refusal before they reach the server. */
export async function refuseRequests(
  page: Page,
  matches: (request: Request) => boolean,
  answer: { status: number; body: unknown },
): Promise<void> {
  await page.route('**/*', async (route: Route) => {
    if (!matches(route.request())) return route.fallback()
    return route.fulfill({ status: answer.status, json: answer.body })
  })
}

/** Adds an open alarm and an ended alarm to the state of the bank, and reloads the page. */
export async function showAlarms(page: Page): Promise<void> {
  await page.route('**/rpc/read_bank_state', async (route) => {
    const response = await route.fetch()
    const state = (await response.json()) as { read_at: string }
    const alarm = { server: null, begun_at: state.read_at }
    const alarms = [
      { ...alarm, code: 'ledger-broken', ended_at: null },
      { ...alarm, code: 'disk-low', ended_at: state.read_at },
    ]
    await route.fulfill({ response, json: { ...state, alarms } })
  })
  await page.reload()
  await expect(page.getByText('1 alarma abierta')).toBeVisible()
}

/** Returns a predicate for requests with the given method and path. */
export function isRequest(method: string, path: string): (request: Request) => boolean {
  return (request) => request.method() === method && new URL(request.url()).pathname === path
}
