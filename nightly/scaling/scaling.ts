/**
 * How much one PostgreSQL carries with one, two and four servers, what half of that does to people for a long time, and
 * what five times of it does (security.md DO-05, DO-06). All of it on one machine: the load, the servers and PostgreSQL
 * share its cores, so only ratios mean something; who had how much of them stands among the figures. Requests
 * refused only after they were planned did a seventh of the knee, in a run of its parts; waiting that has no bound was seen red in nightly/process/overload.test.ts, not here.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from '#server/database/database.ts'
import { connectOwner } from '#server/database/postgres/postgres.ts'
import { startCluster } from '#testing/cluster.ts'
import { cpuSecondsOfAll } from '#nightly/places/cores.ts'
import { type Figure, atLeast, atMost, grouped, known, none } from '#nightly/report/figure.ts'
import { mixedRequests } from './mixed-requests.ts'
import type { LoadOrder, LoadResult } from './open-load.ts'
import { temporaryDirectory } from '#nightly/places/place.ts'
import { type Stretch, isIn, now } from '#nightly/places/stolen-time.ts'
import { type ServerProcess, serverProcess } from '#nightly/places/server-process.ts'

const serverCounts = [1, 2, 4] as const
const connectionCounts = [2, 4, 8, 16, 32, 64] as const
const busyConnections = 32
const rushFactor = 5
const rushConnectionsMax = 2000
const lines = { steadyMs: 150, rushMs: 1000, calmSeconds: 5, memoryMbPerTenMinutes: 1, goodput: 0.8 }

export type ScalingOrder = {
  rounds: number
  roundSeconds: number
  steadySeconds: number
  rushSeconds: number
}

/** Runs all of it. */
export async function runScaling(order: ScalingOrder): Promise<Figure[]> {
  const cluster = await startCluster({ isDurable: true })
  const directory = await temporaryDirectory()
  const environment = { DATABASE_URL: cluster.ownerUrl, LOG_LEVEL: 'silent' }
  const servers: ServerProcess[] = []
  try {
    for (let count = 0; count < Math.max(...serverCounts); count += 1) {
      const server = await serverProcess({ dataDir: directory.path, environment })
      servers.push(server)
      await server.start()
    }
    const requests = await mixedRequests(servers[0] as ServerProcess)
    const load: Load = (count, given) => send(servers.slice(0, count), { ...given, requests })
    // What starts cold is not measured.
    await load(servers.length, {
      perSecond: null,
      connectionsMax: busyConnections,
      seconds: order.roundSeconds,
    })
    const curve = await findKnee(load, order)
    const ratios = await compareCounts(load, order)
    const knee = curve.perSecond
    return [
      ...curve.figures,
      ...ratios,
      ...(await holdSteady(load, servers[0] as ServerProcess, knee / 2, order.steadySeconds)),
      ...(await rush(load, knee, order)),
      await bytesOfMovement(cluster.ownerUrl),
    ]
  } finally {
    for (const server of servers) await server.end('SIGTERM').catch(() => undefined)
    await cluster.stop()
    await directory.remove()
  }
}

type Load = (servers: number, given: Omit<LoadOrder, 'ports' | 'requests'>) => Promise<Loaded>
/** What came of it, and how many cores were at work meanwhile. On a quiet machine all else is PostgreSQL. */
type Loaded = LoadResult & { readonly cores: { servers: number; load: number; allElse: number } }

/** One server, with more and more people who never pause. */
async function findKnee(load: Load, { roundSeconds }: ScalingOrder) {
  const points: { connections: number; result: Loaded }[] = []
  for (const connections of connectionCounts)
    points.push({
      connections,
      result: await load(1, { perSecond: null, connectionsMax: connections, seconds: roundSeconds }),
    })
  const best = Math.max(...points.map(({ result }) => result.perSecond))
  // The first at which more people get no more work done.
  const knee = points.find(({ result }) => result.perSecond >= 0.95 * best)
  const figures = points.map(({ connections, result }) =>
    known(
      `one server, ${connections} at once`,
      `${Math.round(result.perSecond)} requests/s, p99 ${result.accepted.p99Ms.toFixed(1)} ms`,
    ),
  )
  return {
    perSecond: best,
    figures: [
      ...figures,
      known('the knee of one server', `${Math.round(best)} requests/s, from ${knee?.connections} at once`),
      known(
        'cores at work at the knee',
        coresOf(points.find(({ result }) => result.perSecond === best)?.result),
      ),
    ],
  }
}

/** The same load on one, two and four servers, in turns. */
async function compareCounts(load: Load, { rounds, roundSeconds }: ScalingOrder): Promise<Figure[]> {
  const rates = new Map<number, number[]>(serverCounts.map((count) => [count, []]))
  for (let round = 0; round < rounds; round += 1)
    for (const count of serverCounts) {
      const given = { perSecond: null, connectionsMax: busyConnections, seconds: roundSeconds }
      rates.get(count)?.push((await load(count, given)).perSecond)
    }
  const medianOf = (count: number) => median(rates.get(count) ?? [])
  return serverCounts.map((count) =>
    known(
      `${count} ${count === 1 ? 'server' : 'servers'}, ${busyConnections} at once`,
      `${Math.round(medianOf(count))} requests/s, ${(medianOf(count) / medianOf(1)).toFixed(2)} × one`,
    ),
  )
}

async function holdSteady(
  load: Load,
  server: ServerProcess,
  perSecond: number,
  seconds: number,
): Promise<Figure[]> {
  const memory: MemoryLook[] = []
  const watch = new AbortController()
  const watching = (async () => {
    while (!watch.signal.aborted) {
      memory.push({ at: now(), mb: await server.residentMb() })
      await pause(2000)
    }
  })()
  const result = await load(1, { perSecond, connectionsMax: rushConnectionsMax, seconds })
  watch.abort()
  await watching
  const { accepted, others, shed, stolen, undisturbed } = result
  const failures = Object.values(others).reduce((sum, count) => sum + count, 0)
  const growth = growthPerTenMinutes(memory.slice(Math.floor(memory.length / 3)), stolen.disturbances)
  const growthName = 'memory, growth in its last two thirds'
  return [
    known('at half the knee', `${Math.round(perSecond)} requests/s for ${seconds} s`),
    known('of the processors, other machines had meanwhile', `${(stolen.share * 100).toFixed(1)} %`),
    atLeast(
      'seconds judged: without those in which they had over a fifth, one before and as many after',
      Math.round(undisturbed.seconds),
      seconds / 2,
    ),
    atMost('at half the knee, p99', undisturbed.p99Ms, lines.steadyMs, 'ms'),
    none('at half the knee, answers other than success', undisturbed.othersThanAccepted),
    known(
      'the same in all seconds',
      `p99 ${accepted.p99Ms.toFixed(2)} ms; of ${grouped(accepted.count + shed.count + failures)} ${grouped(shed.count)} turned away, ${grouped(failures)} failed otherwise`,
    ),
    known(
      'memory',
      `${Math.round(memory[0]?.mb ?? 0)} MB at first, ${Math.round(memory.at(-1)?.mb ?? 0)} MB at last`,
    ),
    // A slope over less than ten minutes says more of the collector's last turn than of a leak.
    seconds < 600
      ? known(growthName, `${growth.toFixed(1)} MB in 10 min`)
      : atMost(growthName, growth, lines.memoryMbPerTenMinutes, 'MB in 10 min'),
  ]
}

type MemoryLook = { readonly at: number; readonly mb: number }

/**
 * By least squares over the undisturbed time, as if the rest had not been: who stands in a line takes room, which the
 * process keeps, and that is no leak.
 */
function growthPerTenMinutes(looks: readonly MemoryLook[], disturbances: readonly Stretch[]): number {
  const points = [{ at: 0, mb: 0 }]
  for (const [index, look] of looks.entries()) {
    const before = looks[index - 1]
    const last = points.at(-1)
    if (before === undefined || last === undefined) continue
    if (isIn(disturbances, { from: before.at, to: look.at })) continue
    points.push({ at: last.at + (look.at - before.at) / 1000, mb: last.mb + look.mb - before.mb })
  }
  return slopeOf(points) * 600
}

async function rush(
  load: Load,
  knee: number,
  { roundSeconds, rushSeconds }: ScalingOrder,
): Promise<Figure[]> {
  const perSecond = knee * rushFactor
  const seconds = rushSeconds
  // The tables have grown since the knee was found, and other programs come and go: what can be done is asked once more,
  // on both sides of the rush.
  const atKnee = { perSecond: null, connectionsMax: busyConnections, seconds: roundSeconds }
  const before = await load(1, atKnee)
  const result = await load(1, { perSecond, connectionsMax: rushConnectionsMax, seconds })
  const after = await load(1, {
    perSecond: knee / 2,
    connectionsMax: rushConnectionsMax,
    seconds: lines.calmSeconds * 2,
  })
  const again = await load(1, atKnee)
  const kneeNow = (before.perSecond + again.perSecond) / 2
  const calmAt = after.acceptedBySecond.findIndex(
    (count, second) => after.shedBySecond[second] === 0 && count >= (knee / 2) * 0.9,
  )
  const begun = result.accepted.count + result.shed.count
  return [
    known(
      'at five times the knee',
      `${Math.round(perSecond)} requests/s due for ${seconds} s; ${begun} sent and answered, ${result.unsent} never sent by the load`,
    ),
    known('cores at work meanwhile', coresOf(result)),
    atLeast('turned away with 503 and Retry-After', result.shed.count, 1),
    none(
      'answered neither with success nor with 503 and Retry-After',
      Object.values(result.others).reduce((sum, count) => sum + count, 0),
    ),
    known(
      'at the knee just before and after',
      `${Math.round(before.perSecond)} and ${Math.round(again.perSecond)} requests/s`,
    ),
    known('done, of what was done when the knee was found', (result.perSecond / knee).toFixed(2)),
    share('done, of what is done at the knee then', result.perSecond / kneeNow, lines.goodput),
    atMost('who is served, p99 since it was sent', result.accepted.p99SinceSentMs, lines.rushMs, 'ms'),
    atMost('calm again after', calmAt === -1 ? Number.POSITIVE_INFINITY : calmAt + 1, lines.calmSeconds, 's'),
  ]
}

/** Table, journal and their indexes, by now thousands of movements; what is on its way to open pages is swept away. */
async function bytesOfMovement(ownerUrl: string): Promise<Figure> {
  const owner = await connectOwner(ownerUrl)
  try {
    const [row] = await owner.query(sql<{ bytes: number; count: number }>`
      select pg_total_relation_size('public.transactions') + pg_total_relation_size('ledger.journal') as bytes,
        (select count(*) from public.transactions) as count`)
    const { bytes = 0, count = 1 } = row ?? {}
    return known(
      'bytes of a movement with its posting',
      `${Math.round(bytes / count)}, over ${grouped(count)}`,
    )
  } finally {
    await owner.close()
  }
}

async function send(servers: readonly ServerProcess[], order: Omit<LoadOrder, 'ports'>): Promise<Loaded> {
  const spent = async () =>
    (await Promise.all(servers.map((server) => server.cpuSeconds()))).reduce((sum, each) => sum + each, 0)
  const before = { servers: await spent(), all: cpuSecondsOfAll(), at: performance.now() }
  const sending = promisify(execFile)(process.execPath, ['nightly/scaling/open-load.ts'])
  const ports = servers.map(({ url }) => Number(new URL(url).port))
  sending.child.stdin?.end(JSON.stringify({ ...order, ports } satisfies LoadOrder))
  const result = JSON.parse((await sending).stdout) as LoadResult
  const seconds = (performance.now() - before.at) / 1000
  const ofServers = (await spent()) - before.servers
  const ofAll = cpuSecondsOfAll() - before.all
  return {
    ...result,
    cores: {
      servers: ofServers / seconds,
      load: result.cpuSeconds / seconds,
      allElse: (ofAll - ofServers - result.cpuSeconds) / seconds,
    },
  }
}

function coresOf(result: Loaded | undefined): string {
  if (result === undefined) return 'unknown'
  const { servers, load, allElse } = result.cores
  return `the server ${servers.toFixed(2)}, the load ${load.toFixed(2)}, all else ${allElse.toFixed(2)}`
}

function share(what: string, value: number, least: number): Figure {
  return { what, value: value.toFixed(2), line: `≥ ${least}`, isMet: value >= least }
}

/** Least squares, per second. */
function slopeOf(points: readonly { at: number; mb: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [at, mb] = [mean(points.map((point) => point.at)), mean(points.map((point) => point.mb))]
  const above = points.reduce((sum, point) => sum + (point.at - at) * (point.mb - mb), 0)
  const below = points.reduce((sum, point) => sum + (point.at - at) ** 2, 0)
  return below === 0 ? 0 : above / below
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
