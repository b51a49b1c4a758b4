/**
 * Measures the time from the acknowledgement of a change made outside the page until an open dashboard has painted the
 * new balance. The change is the customer's own expense, or the transfer of another customer. The offset between the
 * writer's clock and the page's clock is measured before each change, to within about half a millisecond.
 */
import type { Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { Database as Tables } from '@finanzas/contract/database-types.ts'
import { type BrowserPlace, inBrowser } from '#bench/browser/page.ts'
import { customerId } from '#bench/fixtures/customers.ts'
import { beneficiaryId, historyPair, transferEnvironment } from '#bench/fixtures/payers.ts'
import { type Metric, atMost, metricWithoutThreshold } from '#testing/report.ts'
import { quantile } from '#testing/statistics.ts'
import { type Order, type Scenario, amountOf } from '#bench/scenario.ts'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'

const changes = 100
const person = historyPair.payee
const clockReadings = 10
// The wait begins before the write, which can take seconds on a busy machine.
const paintWaitMs = 60_000
/** Largest allowed values, in milliseconds. */
const [paintedMax, transferPaintedMax] = [50, 200]

export const realtimePainted: Scenario = {
  title: 'From a posting to the painted balance, embedded',
  needs: ['browser'],
  run: paintedChanges,
}

function paintedChanges(fixtures: Fixtures, order: Order): Promise<Metric[]> {
  const measure = async (place: BrowserPlace) => {
    const page = await place.openPage(person)
    await page.goto(`${place.origin}/dashboard`)
    await page.waitForLoadState('networkidle')
    const timesOf = async (write: () => Promise<number>) => {
      const times: number[] = []
      for (let change = 0; change < amountOf(order, changes, 3); change += 1)
        times.push(await paintTime(page, write))
      return times
    }
    const own = await timesOf(await expenseElsewhere(place))
    const transferred = await timesOf(await transferElsewhere(place))
    await page.context().close()
    return [
      metricWithoutThreshold('embedded, answer to painted balance, p50', quantile(own, 0.5), 'ms'),
      atMost('embedded, answer to painted balance, p95', quantile(own, 0.95), paintedMax, 'ms'),
      metricWithoutThreshold(
        'a transfer, answer to painted balance of the payee, p50',
        quantile(transferred, 0.5),
        'ms',
      ),
      atMost(
        'a transfer, answer to painted balance of the payee, p95',
        quantile(transferred, 0.95),
        transferPaintedMax,
        'ms',
      ),
    ]
  }
  return inBrowser(fixtures, measure, transferEnvironment)
}

/**
 * Returns a function that records an expense outside the page and returns the time at which the expense was
 * acknowledged.
 */
async function expenseElsewhere(place: BrowserPlace): Promise<() => Promise<number>> {
  const client = await clientOf(place, person)
  return async () => {
    const { error } = await client
      .from('transactions')
      .insert({ user_id: customerId(person), type: 'expense', description: 'Café', amount: 4.5 })
    if (error !== null) throw new Error('An expense was refused.', { cause: error })
    return performance.now()
  }
}

/**
 * Returns a function that transfers money to the customer of the page. The bank carries out this transfer without the
 * decision of an administrator.
 */
async function transferElsewhere(place: BrowserPlace): Promise<() => Promise<number>> {
  const { payer } = historyPair
  const client = await clientOf(place, payer)
  return async () => {
    const { data, error } = await client.rpc('request_transfer', {
      id: crypto.randomUUID(),
      beneficiary_id: beneficiaryId(payer),
      amount: 0.5,
    })
    if (data?.status !== 'done') throw new Error('A transfer was not carried out.', { cause: error })
    return performance.now()
  }
}

async function clientOf({ origin, tokenOf }: BrowserPlace, customer: number) {
  const { anonKey } = (await (await fetch(`${origin}/config.json`)).json()) as { anonKey: string }
  const token = await tokenOf(customer)
  return createClient<Tables>(origin, anonKey, { accessToken: async () => token })
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
