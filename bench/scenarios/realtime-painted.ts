/**
 * Measures the time from the acknowledgement of a change made outside the page until an open dashboard has painted the
 * new balance. The offset between the writer's clock and the page's clock is measured before each change, to within
 * about half a millisecond.
 */
import type { Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { Database as Tables } from '@finanzas/contract/database-types.ts'
import { inBrowser } from '#bench/browser/page.ts'
import { customerId } from '#bench/fixtures/customers.ts'
import { type Metric, atMost, metricWithoutThreshold } from '#testing/report.ts'
import { quantile } from '#testing/statistics.ts'
import type { Scenario } from '#bench/scenario.ts'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'

const changes = 100
const person = 1
const clockReadings = 10
const paintWaitMs = 5000
/** Largest allowed value, in milliseconds. */
const paintedMax = 50

export const realtimePainted: Scenario = {
  title: 'From a posting to the painted balance, embedded',
  limit: 'none: the threshold is the issue’s own',
  peers: 'none: neither peer announces changes',
  needs: ['browser'],
  run: paintedChanges,
}

function paintedChanges(fixtures: Fixtures): Promise<Metric[]> {
  return inBrowser(fixtures, async ({ openPage, origin }) => {
    const page = await openPage(person)
    await page.goto(`${origin}/dashboard`)
    await page.waitForLoadState('networkidle')
    const write = await writerElsewhere(page, origin)
    const times: number[] = []
    for (let change = 0; change < changes; change += 1) times.push(await paintTime(page, write))
    await page.context().close()
    return [
      metricWithoutThreshold('embedded, answer to painted balance, p50', quantile(times, 0.5), 'ms'),
      atMost('embedded, answer to painted balance, p95', quantile(times, 0.95), paintedMax, 'ms'),
    ]
  })
}

/**
 * Returns a function that records an expense outside the page and returns the time at which the expense was
 * acknowledged.
 */
async function writerElsewhere(page: Page, origin: string): Promise<() => Promise<number>> {
  const { anonKey } = (await (await fetch(`${origin}/config.json`)).json()) as { anonKey: string }
  const stored = await page.evaluate(() => localStorage.getItem('sb-127-auth-token'))
  const { access_token } = JSON.parse(stored ?? '{}') as { access_token: string }
  const client = createClient<Tables>(origin, anonKey, { accessToken: async () => access_token })
  return async () => {
    const { error } = await client
      .from('transactions')
      .insert({ user_id: customerId(person), type: 'expense', description: 'Café', amount: 4.5 })
    if (error !== null) throw new Error('An expense was refused.', { cause: error })
    return performance.now()
  }
}

async function paintTime(page: Page, write: () => Promise<number>): Promise<number> {
  const ahead = await clockAhead(page)
  const painting = await page.evaluateHandle((waitMs) => {
    const shown = () => document.querySelector('section[aria-labelledby="bank-title"]')?.textContent ?? ''
    const before = shown()
    const painted = new Promise<number>((resolve, reject) => {
      setTimeout(() => reject(new Error(`The balance stayed as it was: ${before}`)), waitMs)
      const observer = new MutationObserver(() => {
        if (shown() === before) return
        observer.disconnect()
        // A task that is queued in a frame callback runs after the frame has been painted.
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => resolve(performance.now()))
          port1.start()
          port2.postMessage(null)
        })
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    return { painted }
  }, paintWaitMs)
  const answeredAt = await write()
  const paintedAt = await painting.evaluate(({ painted }) => painted)
  await painting.dispose()
  return paintedAt - ahead - answeredAt
}

/**
 * Returns how far the page's clock is ahead of this process's clock. Uses the quickest of several readings, and assumes
 * that the page read its clock halfway through that reading.
 */
async function clockAhead(page: Page): Promise<number> {
  let quickest = { tookMs: Number.POSITIVE_INFINITY, ahead: 0 }
  for (let reading = 0; reading < clockReadings; reading += 1) {
    const askedAt = performance.now()
    const theirs = await page.evaluate(() => performance.now())
    const tookMs = performance.now() - askedAt
    if (tookMs < quickest.tookMs) quickest = { tookMs, ahead: theirs - (askedAt + tookMs / 2) }
  }
  return quickest.ahead
}
