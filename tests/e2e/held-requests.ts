/**
 * Holds, counts or answers a page's requests. Tests may mock the browser's requests, because they are the edge of the
 * network (STYLE.md, Tests).
 */
import type { Page, Request, Route } from '@playwright/test'

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

/** Returns a predicate for requests with the given method and path. */
export function isRequest(method: string, path: string): (request: Request) => boolean {
  return (request) => request.method() === method && new URL(request.url()).pathname === path
}
