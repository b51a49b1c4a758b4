/**
 * Measures the capacity of one PostgreSQL database with one server and with two servers. Then loads the servers with
 * half of this capacity for a long time, and with five times this capacity for a short time (security.md DO-05, DO-06).
 * The short overload is measured with and without the proxy of `deploy/`. The load generator, the servers, the proxy
 * and PostgreSQL share the cores of one machine. Therefore only ratios are meaningful.
 */
import { type Load as LoadOrder, sendLoad } from '#testing/load.ts'
import type { LoadResult } from '#testing/load-answers.ts'
import { createOwnPlace } from '#testing/place.ts'
import { findProxy, startProxy } from '#testing/proxy.ts'
import type { TestServer } from '#testing/server.ts'
import { median } from '#testing/statistics.ts'
import { createOpenServer } from '#nightly/fixtures/servers.ts'
import { type Caller, wireOf } from '#nightly/fixtures/wire.ts'
import { type Metric, atLeast, atMost, counted, metricWithoutThreshold, none } from '#testing/report.ts'

const connectionCounts = [4, 8, 16, 32, 64] as const
const busyConnections = 32
const rushFactor = 5
const rushConnectionsMax = 2000
const rushRounds = 3
const thresholds = { steadyMs: 150, rushMs: 1000, calmSeconds: 5, memoryMbPerTenMinutes: 1, goodput: 0.8 }
/**
 * Number of people who send requests. If there were fewer people, the admission queue would treat the overload as
 * bursts from individual people (`server/overload/admission-queue.ts`).
 */
const customersCount = 400

export type ScalingSize = {
  readonly roundSeconds: number
  readonly steadySeconds: number
  readonly rushSeconds: number
}

type Load = (given: Pick<LoadOrder, 'perSecond' | 'connectionsMax' | 'seconds'>) => Promise<LoadResult>

/** Runs all measurements. Without HAProxy, reports that the measurements behind the proxy did not run. */
export async function runScaling(size: ScalingSize): Promise<Metric[]> {
  const place = await createOwnPlace('postgres', { isDurable: true })
  const servers: TestServer[] = []
  const program = findProxy()
  try {
    for (let count = 0; count < 2; count += 1) {
      const server = await createOpenServer(place, {
        LOG_LEVEL: 'silent',
        // All servers of a bank issue tokens with the same issuer.
        SITE_URL: 'http://bank.localhost',
      })
      servers.push(server)
      await server.start()
    }
    const [one] = servers as [TestServer]
    const requests = await mixedRequests(one)
    const loadTo =
      (ports: readonly number[]): Load =>
      (given) =>
        sendLoad({ ...given, ports, requests })
    const both = servers.map(({ port }) => port)
    // Warms up both servers.
    await loadTo(both)({ perSecond: null, connectionsMax: busyConnections, seconds: size.roundSeconds })
    const knee = await findKnee(loadTo([one.port]), size)
    return [
      ...knee.metrics,
      await compareTwo(loadTo([one.port]), loadTo(both), size),
      ...(await holdSteady(loadTo([one.port]), one, knee.perSecond / 2, size.steadySeconds)),
      ...(await rush('one server, no proxy', loadTo([one.port]), size, false)),
      ...(program === undefined
        ? [metricWithoutThreshold('behind the proxy: not run', 'HAProxy is not installed')]
        : await rushBehindProxy(program, servers, new URL(place.environment.DATABASE_URL ?? '').host, {
            size,
            loadTo,
          })),
    ]
  } finally {
    for (const server of servers) await server.stop('SIGTERM').catch(() => undefined)
    await place.remove()
  }
}

/**
 * Loads one server through more and more connections that never pause, and returns the load at which the server answers
 * the most requests per second.
 */
async function findKnee(load: Load, { roundSeconds }: ScalingSize) {
  const metrics: Metric[] = []
  let perSecond = 0
  for (const connections of connectionCounts) {
    const result = await load({ perSecond: null, connectionsMax: connections, seconds: roundSeconds })
    perSecond = Math.max(perSecond, result.perSecond)
    metrics.push(
      metricWithoutThreshold(
        `one server, ${connections} connections`,
        `${Math.round(result.perSecond)} requests/s, p99 ${result.accepted.p99Ms.toFixed(1)} ms`,
      ),
    )
  }
  return {
    perSecond,
    metrics: [
      ...metrics,
      metricWithoutThreshold('the knee of one server', `${Math.round(perSecond)} requests/s`),
    ],
  }
}

/** Compares the throughput of one server with that of two servers under the same load, in alternating rounds. */
async function compareTwo(one: Load, two: Load, { roundSeconds }: ScalingSize): Promise<Metric> {
  const ratios: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const given = { perSecond: null, connectionsMax: busyConnections, seconds: roundSeconds }
    const [alone, together] = [await one(given), await two(given)]
    ratios.push(together.perSecond / alone.perSecond)
  }
  return metricWithoutThreshold('two servers on the same cores, of one', median(ratios).toFixed(2))
}

async function holdSteady(
  load: Load,
  server: TestServer,
  perSecond: number,
  seconds: number,
): Promise<Metric[]> {
  const memory: { at: number; mb: number }[] = []
  const watch = setInterval(() => {
    void server.memoryMb().then(({ now }) => memory.push({ at: performance.now() / 1000, mb: now }))
  }, 2000)
  const result = await load({ perSecond, connectionsMax: rushConnectionsMax, seconds })
  clearInterval(watch)
  const growth = slopeOf(memory.slice(Math.floor(memory.length / 3))) * 600
  const grew = 'memory, growth in the last two thirds'
  return [
    metricWithoutThreshold('at half the knee', `${Math.round(perSecond)} requests/s for ${seconds} s`),
    counted('at half the knee, answered with success', result.accepted.count),
    atMost('at half the knee, p99', result.accepted.p99Ms, thresholds.steadyMs, 'ms'),
    none('at half the knee, answers other than success', result.shed + sum(Object.values(result.others))),
    // In a run shorter than ten minutes, the last garbage collection has more influence on the growth of memory than a
    // leak.
    seconds < 600
      ? metricWithoutThreshold(grew, `${growth.toFixed(1)} MB in 10 min`)
      : atMost(grew, growth, thresholds.memoryMbPerTenMinutes, 'MB in 10 min'),
  ]
}

async function rushBehindProxy(
  program: string,
  servers: readonly TestServer[],
  database: string,
  { size, loadTo }: { size: ScalingSize; loadTo: (ports: readonly number[]) => Load },
): Promise<Metric[]> {
  const [one, other] = servers.map(({ url }) => new URL(url).host)
  // The servers connect to their database directly, not through the proxy's port for the primary.
  const unused = { address: database, patroniPort: 1 }
  const proxy = await startProxy(program, { servers: [one ?? '', other ?? ''], postgres: [unused, unused] })
  try {
    while ((await fetch(`${proxy.url}/ready`).catch(() => null))?.ok !== true) await Promise.resolve()
    return await rush('two servers behind the proxy', loadTo([Number(new URL(proxy.url).port)]), size, true)
  } finally {
    await proxy.stop()
  }
}

/**
 * Sends five times the load at which the servers answer the most requests per second (the knee). Measures the highest
 * throughput immediately before and after this overload, because tables grow and other work on the machine varies.
 */
async function rushOnce(load: Load, { roundSeconds, rushSeconds }: ScalingSize) {
  const atKnee = { perSecond: null, connectionsMax: busyConnections, seconds: roundSeconds }
  const before = (await load(atKnee)).perSecond
  const rushed = { perSecond: before * rushFactor, connectionsMax: rushConnectionsMax, seconds: rushSeconds }
  const result = await load(rushed)
  const after = await load({ ...rushed, perSecond: before / 2, seconds: thresholds.calmSeconds * 2 })
  const knee = (before + (await load(atKnee)).perSecond) / 2
  const calmAt = after.acceptedBySecond.findIndex(
    (count, second) => after.shedBySecond[second] === 0 && count >= (before / 2) * 0.9,
  )
  return {
    result,
    duePerSecond: before * rushFactor,
    goodput: result.perSecond / knee,
    servedMs: result.accepted.p99SinceSentMs,
    calm: calmAt === -1 ? Number.POSITIVE_INFINITY : calmAt + 1,
  }
}

/** Runs several rounds and returns the median goodput, and the worst value of every other figure. */
async function rush(where: string, load: Load, size: ScalingSize, isPromised: boolean): Promise<Metric[]> {
  const rounds = []
  while (rounds.length < rushRounds) rounds.push(await rushOnce(load, size))
  const results = rounds.map(({ result }) => result)
  const total = (count: (result: LoadResult) => number) => sum(results.map(count))
  const others = JSON.stringify(results.map((result) => result.others))
  const goodput = median(rounds.map((round) => round.goodput))
  const servedMs = Math.max(...rounds.map((round) => round.servedMs))
  const calm = Math.max(...rounds.map((round) => round.calm))
  const due = Math.round(median(rounds.map((round) => round.duePerSecond)))
  const [accepted, shed] = [total((result) => result.accepted.count), total((result) => result.shed)]
  return [
    metricWithoutThreshold(
      `${where}, five times the knee, ${rushRounds} rounds`,
      `${due} requests/s due for ${size.rushSeconds} s; ${accepted + shed} answered, of them ${shed} with 503; ${total((result) => result.unsent)} never sent`,
    ),
    counted(`${where}: answered with success`, accepted),
    none(
      `${where}: answers other than success and 503 with Retry-After ${others}`,
      total((result) => sum(Object.values(result.others))),
    ),
    ...(isPromised
      ? [
          atLeast(`${where}: goodput, of the knee, median`, goodput, thresholds.goodput),
          atMost(`${where}: p99 of what is served, since it was sent`, servedMs, thresholds.rushMs, 'ms'),
          atMost(`${where}: calm again after`, calm, thresholds.calmSeconds, 's'),
        ]
      : [
          metricWithoutThreshold(`${where}: goodput, of the knee, median`, goodput.toFixed(2)),
          metricWithoutThreshold(
            `${where}: p99 of what is served, since it was sent`,
            `${servedMs.toFixed(0)} ms`,
          ),
          metricWithoutThreshold(`${where}: calm again after`, `${calm} s`),
        ]),
  ]
}

/**
 * Returns raw HTTP requests in the proportions of an ordinary day: half of them read the latest transactions, a quarter
 * read the balance, and a quarter record an expense.
 */
async function mixedRequests(server: TestServer): Promise<string[]> {
  const wire = await wireOf(server)
  const apikey = await server.anonKey()
  const requests: string[] = []
  for (let number = 0; number < customersCount; number += 1) {
    const caller = await wire.signUp(`carga-${number}@banco.example`)
    const get = (path: string) => `GET ${path} HTTP/1.1\r\n${headers(caller, apikey)}\r\n\r\n`
    const latest = get(`/rest/v1/transactions?select=*&user_id=eq.${caller.id}&order=date.desc&limit=5`)
    requests.push(latest, get('/rest/v1/budgets?select=balance'), latest, expenseOf(caller, apikey))
  }
  return requests
}

function expenseOf(caller: Caller, apikey: string): string {
  const row = {
    id: '%ID%',
    user_id: caller.id,
    type: 'expense',
    description: 'Almuerzo',
    amount: 1,
    category: 'Comida',
  }
  const body = JSON.stringify(row)
  const length = body.length - '%ID%'.length + 36
  const type = `Content-Type: application/json\r\nContent-Length: ${length}`
  return `POST /rest/v1/transactions HTTP/1.1\r\n${headers(caller, apikey)}\r\n${type}\r\n\r\n${body}`
}

function headers({ token }: Caller, apikey: string): string {
  return `Host: 127.0.0.1\r\napikey: ${apikey}\r\nAuthorization: Bearer ${token}`
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** Returns the slope of the least-squares line, in MB per second. */
function slopeOf(points: readonly { at: number; mb: number }[]): number {
  const mean = (values: readonly number[]) => sum(values) / values.length
  const [at, mb] = [mean(points.map((point) => point.at)), mean(points.map((point) => point.mb))]
  const above = sum(points.map((point) => (point.at - at) * (point.mb - mb)))
  const below = sum(points.map((point) => (point.at - at) ** 2))
  return below === 0 ? 0 : above / below
}
