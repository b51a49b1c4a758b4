/**
 * Measures the page in a browser with an empty cache: the time from pressing the login button to the latest
 * transactions, and the time from clicking a link to the heading of the linked page. The thresholds apply to the
 * measured times minus the time that the page's main thread waited for a processor. The report shows each time with and
 * without the wait for a processor.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page, Request } from '@playwright/test'
import { type BrowserPlace, inBrowser } from '#bench/browser/page.ts'
import { measureWork } from '#bench/browser/main-thread.ts'
import { type Result, installProbe, measureInput } from '#bench/browser/probe.ts'
import { emailOf, password } from '#bench/fixtures/customers.ts'
import { type Scenario, amountOf } from '#bench/scenario.ts'
import { type Metric, atMost, exact, metricWithoutThreshold } from '#testing/report.ts'
import { quantile } from '#testing/statistics.ts'

/** The customer with 1,000 transactions. */
const person = 1
const signIns = 9
const tours = 4
/** Shortest time in which a customer can type a password. Meanwhile the page fetches the dashboard's code. */
const typingMs = 1000
/** Time after which the page has joined its realtime channel and repeated its queries. */
const settlingMs = 1500
/** Time between opening a page and following a link on it, too short for the page to prefetch the other pages. */
const lookMs = 500
/** Path prefixes of the requests that are counted. Requests for the page's own files are not counted. */
const surfaces = /^\/(?:auth|rest|functions)\/v1\//
/** Largest allowed values. `latest` and `heading` are in milliseconds, and `requests` is a count. */
const lines = { latest: 250, heading: 100, requests: 5 }

/** Links in a customer's navigation, in the order in which the scenario follows them. */
const links = ['Transacciones', 'Cuentas', 'Documentos', 'Soporte', 'Perfil', 'Inicio'] as const

export const page: Scenario = {
  title: 'Browser: from the login to the latest movements, and from a link to its page, embedded',
  needs: ['browser'],
  run: (fixtures, order) =>
    inBrowser(fixtures, async (place) => [
      // On a busy machine, a page may read once more. The median of three sign-ins leaves one such page out.
      ...(await measureSignIns(place, amountOf(order, signIns, 3))),
      ...(await measureLinks(place, amountOf(order, tours))),
    ]),
}

async function measureSignIns(place: BrowserPlace, rounds: number): Promise<Metric[]> {
  const typed: Time[] = []
  const filled: Time[] = []
  const requests: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const { latest, count } = await signIn(place, { isTyped: true })
    typed.push(latest)
    requests.push(count)
    filled.push((await signIn(place, { isTyped: false })).latest)
  }
  return [
    atMost('sign-in to the latest movements, p50', judged(typed, 0.5), lines.latest, 'ms'),
    metricWithoutThreshold('  with waits for a processor', withWaits(typed, 0.5), 'ms'),
    metricWithoutThreshold('sign-in to the latest movements, p95', judged(typed, 0.95), 'ms'),
    metricWithoutThreshold(
      '  where nothing was typed: filled in and pressed at once, p50',
      judged(filled, 0.5),
      'ms',
    ),
    exact(atMost('requests and sockets of a sign-in, p50', quantile(requests, 0.5), lines.requests, '')),
  ]
}

/** Signs in once. If `isTyped` is true, first waits for the time that typing a password takes. */
async function signIn({ browser, openPage, origin }: BrowserPlace, { isTyped }: { isTyped: boolean }) {
  const opened = await openPage(null)
  await installProbe(opened)
  await opened.goto(origin)
  await opened.waitForLoadState('networkidle')
  await opened.getByLabel('Email').fill(emailOf(person))
  await opened.getByLabel('Contraseña', { exact: true }).fill(password)
  if (isTyped) await pause(typingMs)
  const asked = countRequests(opened)
  const button = opened.getByRole('button', { name: 'Iniciar Sesión', exact: true })
  const latest = await timeOf(browser, opened, 'latest', () => button.click())
  await pause(settlingMs)
  await opened.context().close()
  return { latest, count: asked() }
}

function countRequests(opened: Page): () => number {
  let count = 0
  opened.on('request', (request: Request) => {
    if (surfaces.test(new URL(request.url()).pathname)) count += 1
  })
  opened.on('websocket', () => (count += 1))
  return () => count
}

async function measureLinks(place: BrowserPlace, rounds: number): Promise<Metric[]> {
  const first: Time[] = []
  const again: Time[] = []
  for (let tour = 0; tour < rounds; tour += 1) {
    for (const name of links) first.push(await followAtOnce(place, name))
    again.push(...(await followAll(place)))
  }
  return [
    metricWithoutThreshold('link to heading, the page opened a moment ago, p50', judged(first, 0.5), 'ms'),
    atMost('link to heading, the page opened a moment ago, p95', judged(first, 0.95), lines.heading, 'ms'),
    metricWithoutThreshold('  with waits for a processor', withWaits(first, 0.95), 'ms'),
    atMost('link to heading, the page opened before, p95', judged(again, 0.95), lines.heading, 'ms'),
    metricWithoutThreshold('  with waits for a processor', withWaits(again, 0.95), 'ms'),
  ]
}

/** Follows a link before any other page has been prefetched. */
async function followAtOnce({ browser, openPage, origin }: BrowserPlace, name: string): Promise<Time> {
  const opened = await openPage(person)
  await installProbe(opened)
  await opened.goto(`${origin}/${name === 'Inicio' ? 'perfil' : 'dashboard'}`)
  await opened.getByRole('heading', { level: 1 }).waitFor()
  await pause(lookMs)
  const took = await follow(browser, opened, name)
  await opened.context().close()
  return took
}

async function followAll({ browser, openPage, origin }: BrowserPlace): Promise<Time[]> {
  const opened = await openPage(person)
  await installProbe(opened)
  await opened.goto(`${origin}/dashboard`)
  await opened.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('profile-page')),
  )
  const times: Time[] = []
  for (const name of links) {
    times.push(await follow(browser, opened, name))
    await pause(settlingMs)
  }
  await opened.context().close()
  return times
}

function follow(browser: Browser, opened: Page, name: string): Promise<Time> {
  const link = opened.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name, exact: true })
  return timeOf(browser, opened, 'heading', () => link.click())
}

/**
 * Time from a click to its result. `ms` excludes the time that the page's main thread waited for a processor, and
 * `withWaitsMs` includes it.
 */
type Time = { ms: number; withWaitsMs: number }

async function timeOf(
  browser: Browser,
  opened: Page,
  result: Result,
  click: () => Promise<void>,
): Promise<Time> {
  let withWaitsMs = Number.NaN
  const work = await measureWork(browser, opened, async () => {
    withWaitsMs = (await measureInput(opened, 'click', click, result)).resultMs
  })
  return { ms: work.interactionsMs[0] ?? Number.NaN, withWaitsMs }
}

function judged(times: readonly Time[], share: number): number {
  return quantile(
    times.map(({ ms }) => ms),
    share,
  )
}

function withWaits(times: readonly Time[], share: number): number {
  return quantile(
    times.map(({ withWaitsMs }) => withWaitsMs),
    share,
  )
}
