/** Holds, counts or answers requests of a page, which is the edge of the network in these tests (STYLE.md, Tests). */
import type { Page, Request, Route } from '@playwright/test'

/** Holds the matching requests until they are released. `count` returns how many were sent. */
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

/** Refuses the matching requests with the given answer, before they reach the server. */
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

/** Returns a test for requests of a method to a path. */
export function isRequest(method: string, path: string): (request: Request) => boolean {
  return (request) => request.method() === method && new URL(request.url()).pathname === path
}
