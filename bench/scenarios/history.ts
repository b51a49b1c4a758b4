/**
 * The history page in a real browser. Each figure is the time that a customer waits, minus the time that the page's
 * main thread waited for a processor. Long tasks are judged by the thread's processor time. All figures except the long
 * tasks require an idle machine.
 */
import type { Page } from '@playwright/test'
import { type BrowserPlace, inBrowser } from '#bench/browser/page.ts'
import { type Interaction, installProbe, measureInput } from '#bench/browser/probe.ts'
import { type Metric, atMost, metricWithoutThreshold } from '#testing/report.ts'
import { quantile } from '#testing/statistics.ts'
import { interact } from '#bench/browser/history-interactions.ts'
import { measureWork } from '#bench/browser/main-thread.ts'
import { type Order, type Scenario, amountOf } from '#bench/scenario.ts'

const scrollSteps = 60
const openings = 5

/** Largest allowed values, in milliseconds. */
const lines = { firstRows: 300, key: 50, sort: 100, deletion: 100, longTask: 50 }
/**
 * Largest allowed duration of an interaction with the processor throttled to a quarter of its speed, for each of the
 * three histories.
 */
const slowedLines = [100, 200, 300] as const

export const history: Scenario = {
  title: 'Browser: histories of 1,000 to 100,000 movements',
  needs: ['browser'],
  run: (fixtures, order) =>
    inBrowser(fixtures, async (place) => {
      const metrics: Metric[] = []
      const lengths = fixtures.sizes.histories.slice(0, amountOf(order, slowedLines.length))
      for (const [index, length] of lengths.entries())
        metrics.push(...(await measureHistory(place, { number: index + 1, length, order })))
      return metrics
    }),
}

async function measureHistory(
  { browser, origin, openPage }: BrowserPlace,
  { number, length, order }: { number: number; length: number; order: Order },
): Promise<Metric[]> {
  const page = await openPage(number)
  await installProbe(page)
  const metrics: Metric[] = []
  const times = amountOf(order, Number.POSITIVE_INFINITY, 2)
  const rows = `${length.toLocaleString('en-US')} movements`
  const say: Say = (what, valuesMs, lineMs) => {
    const [name, p95] = [`${rows}: ${what}, p95`, quantile(valuesMs, 0.95)]
    metrics.push(lineMs === null ? metricWithoutThreshold(name, p95, 'ms') : atMost(name, p95, lineMs, 'ms'))
  }
  const sayTask = (what: string, taskMs: number) =>
    metrics.push(atMost(`${rows}: longest task ${what}, processor time`, taskMs, lines.longTask, 'ms'))

  const opened: number[] = []
  for (let round = 0; round < amountOf(order, openings); round += 1) {
    await openDashboard(page, origin)
    const { resultMs } = await measureInput(page, 'click', () =>
      page.getByRole('link', { name: 'Ver todo' }).click(),
    )
    opened.push(resultMs)
  }
  say('route opened to first rows', opened, lines.firstRows)
  await openDashboard(page, origin)
  const reading = await measureWork(browser, page, async () => {
    await page.getByRole('link', { name: 'Ver todo' }).click()
    await complete(page, length)
  })
  sayTask('while everything is read', reading.longestTaskMs)

  for (const [what, line] of [
    ['keys', lines.key],
    ['sorts', lines.sort],
    ['categories', null],
    ['deletions', lines.deletion],
    ['balances', lines.deletion],
  ] as const) {
    let interactions: Interaction[] = []
    const work = await measureWork(browser, page, async () => {
      interactions = await interact[what](page, times)
    })
    say(`${what}, to the result`, work.interactionsMs, line)
    say(
      '  with waits for a processor',
      interactions.map(({ resultMs }) => resultMs),
      null,
    )
    sayTask(`of the ${what}`, work.longestTaskMs)
  }
  const scrolling = await measureWork(browser, page, () => scroll(page, amountOf(order, scrollSteps, 10)))
  sayTask('while scrolling', scrolling.longestTaskMs)

  await measureSlowed(page, { line: slowedLines[number - 1] ?? null, times, say })
  await page.context().close()
  return metrics
}

type Say = (what: string, valuesMs: number[], lineMs: number | null) => void

/** Measures the interactions on a processor that is four times slower. */
async function measureSlowed(
  page: Page,
  { line, times, say }: { line: number | null; times: number; say: Say },
): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  for (const [what, run] of Object.entries(interact)) {
    const interactions = await run(page, times)
    say(
      `${what} to the next paint, four times slower`,
      interactions.map(({ nextPaintMs }) => nextPaintMs),
      line,
    )
    say(
      '  and to the result',
      interactions.map(({ resultMs }) => resultMs),
      null,
    )
  }
}

/**
 * Opens the dashboard and waits as long as a customer takes to read it. Meanwhile the page prefetches the code of the
 * other pages.
 */
async function openDashboard(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard`)
  await page.getByRole('link', { name: 'Ver todo' }).waitFor()
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('transactions-page')),
  )
  await page.waitForLoadState('networkidle')
}

async function scroll(page: Page, steps: number): Promise<void> {
  await page.mouse.move(600, 500)
  for (let step = 0; step < steps; step += 1) {
    await page.mouse.wheel(0, step % 3 === 0 ? 3000 : 400)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  for (const share of [0.9, 0.2, 0.6, 1, 0]) {
    await page.evaluate((part) => {
      window.scrollTo(0, document.documentElement.scrollHeight * part)
    }, share)
    await page.evaluate(
      () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    )
  }
}

/** Waits until the page has read the whole history twice. */
async function complete(page: Page, length: number): Promise<void> {
  await page
    .getByText(new RegExp(`^${length.toLocaleString('es-CO')} movimientos`))
    .waitFor({ timeout: 120_000 })
  await page.waitForLoadState('networkidle')
}
