/** Measures how quickly a page shows a change that was made elsewhere. */
import { type Locator, type Page, expect } from '@playwright/test'

/** The specification's limit for the time until the page shows a change that was made elsewhere. */
const liveWithinMs = 1000
const tries = 3

/**
 * Makes changes and expects the page to show at least one of three changes within a second. A busy machine causes a
 * delay only occasionally, whereas a slow page is late every time. First makes one extra change that it does not
 * measure: after joining its channels, a page reads everything again, and this read may include the extra change.
 * `change` makes a change and returns the element that shows it.
 */
export async function expectLive(change: (round: number) => Promise<Locator>): Promise<void> {
  const delays: number[] = []
  await expect(await change(0)).toBeVisible()
  for (let round = 1; round <= tries && !delays.some(isInTime); round += 1) {
    const shown = await change(round)
    const changedAt = performance.now()
    await expect(shown).toBeVisible()
    delays.push(performance.now() - changedAt)
  }
  expect(delays.some(isInTime), `shown after ${delays.map(Math.round).join(', ')} ms`).toBe(true)
}

function isInTime(ms: number): boolean {
  return ms <= liveWithinMs
}

/**
 * Returns a function that waits until the page's channels are joined. Tests call `watchJoins` before they open the
 * page.
 */
export function watchJoins(page: Page): () => Promise<void> {
  let asked = 0
  let joined = 0
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => (asked += String(payload).includes('phx_join') ? 1 : 0))
    socket.on(
      'framereceived',
      ({ payload }) => (joined += String(payload).includes('Subscribed to PostgreSQL') ? 1 : 0),
    )
  })
  return () => expect.poll(() => asked > 0 && joined >= asked, 'the page hears of changes').toBe(true)
}
