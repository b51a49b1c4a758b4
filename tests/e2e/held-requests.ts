/** Requests that a test keeps waiting, counts, or answers itself: the edge of the network (STYLE.md, Tests). */
import type { Page, Request, Route } from '@playwright/test'

/** Keeps the matching requests waiting until they are released; `count` tells how many came. */
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

/** Answers the matching requests with a refusal instead of the server. */
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

/** Tells requests of a method to a path. */
export function isRequest(method: string, path: string): (request: Request) => boolean {
  return (request) => request.method() === method && new URL(request.url()).pathname === path
}
