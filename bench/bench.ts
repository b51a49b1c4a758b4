/**
 * `npm run bench`: the dashboard read through HTTP against the database's own limit, on both engines, all
 * sides in turns within one run. Only ratios are comparable between machines. Exits non-zero when a
 * ratio falls below its line.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { initialisedEngineDirectory } from '#server/database/data-directory.ts'
import type { SqlStatement } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite.ts'
import { connectOwner, openPostgres } from '#server/database/postgres.ts'
import { preparePostgres } from '#server/database/prepare-postgres.ts'
import { startCluster } from '#tools/postgres/cluster.ts'
import { customersCount, fillBank, movementsEach } from './customers.ts'
import { httpRequests, sqlBatches } from './dashboard-read.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { runPgbench } from './pgbench.ts'
import { type MeasuredServer, startMeasured } from './server-process.ts'

const rounds = 5
const seconds = 4
const connections = 16
const restMs = 5000
/** A server that has just started compiles its hot paths first; the embedded one starts anew each round. */
const warmUpSeconds = 3
const jwtSecret = 'a secret for measurements, of no use elsewhere'

/** Least ratio to the limit, and most resident memory at rest (MB). */
const lines = { postgres: 0.35, pglite: 0.7, residentMb: 260 }

const run = promisify(execFile)
const isLineMissed: string[] = []

console.log(
  `${customersCount} customers × ${movementsEach} movements, ${connections} connections, ${cpus().length} × ${cpus()[0]?.model}`,
)
await measurePostgres()
await measureEmbedded()
if (isLineMissed.length > 0) {
  console.log(`\nBelow the line: ${isLineMissed.join('; ')}`)
  process.exitCode = 1
}

async function measurePostgres(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'finanzas-bench-'))
  const cluster = await startCluster({ isDurable: true })
  try {
    const servingUrl = await preparePostgres({
      url: cluster.ownerUrl,
      directUrl: null,
      allowSuperuser: false,
      jwtSecret,
    })
    const owner = await connectOwner(cluster.ownerUrl)
    await fillBank(owner)
    await owner.close()
    const database = openPostgres(servingUrl)
    const batches = await sqlBatches(database)
    await database.close()
    await measure({
      name: 'PostgreSQL',
      limitName: 'pgbench, same statements, one round trip',
      line: lines.postgres,
      environment: { DATA_DIR: dataDir, DATABASE_URL: cluster.ownerUrl, JWT_SECRET: jwtSecret },
      limit: () => runPgbench({ binaries: cluster.binaries, url: servingUrl, batches, connections, seconds }),
    })
  } finally {
    await cluster.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measureEmbedded(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'finanzas-bench-'))
  try {
    const directory = await initialisedEngineDirectory(dataDir)
    const { database, owner } = await openPglite(directory)
    await migrate(owner)
    await fillBank(owner)
    const batches = await sqlBatches(database)
    await database.close()
    await measure({
      name: 'PGlite',
      limitName: 'PGlite called directly, same bytes',
      line: lines.pglite,
      environment: { DATA_DIR: dataDir, JWT_SECRET: jwtSecret },
      limit: () => runEmbeddedLimit(directory, batches),
      isExclusive: true,
      residentMbMax: lines.residentMb,
    })
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Side = {
  name: string
  limitName: string
  line: number
  environment: Record<string, string>
  limit: () => Promise<number>
  /** Whether the limit needs the directory that the server has. */
  isExclusive?: boolean
  residentMbMax?: number
}

async function measure(side: Side): Promise<void> {
  const starts: number[] = []
  const results: LoadResult[] = []
  const limits: number[] = []
  let server: MeasuredServer | null = null
  let residentMb = 0
  for (let round = 0; round < rounds; round += 1) {
    if (server === null) {
      server = await startMeasured(side.environment)
      starts.push(server.startMs)
      if (round === 0) {
        await new Promise((resolve) => setTimeout(resolve, restMs))
        residentMb = server.residentMb()
      }
    }
    await load(server.port, warmUpSeconds)
    results.push(await load(server.port, seconds))
    if (side.isExclusive === true) {
      await server.stop()
      server = null
    }
    limits.push(await side.limit())
  }
  await server?.stop()
  report(side, { starts, results, limits, residentMb })
}

function report(
  side: Side,
  figures: { starts: number[]; results: LoadResult[]; limits: number[]; residentMb: number },
): void {
  const { starts, results, limits, residentMb } = figures
  const served = median(results.map(({ perSecond }) => perSecond))
  const limit = median(limits)
  const ratio = median(results.map(({ perSecond }, round) => perSecond / (limits[round] ?? Number.NaN)))
  const failures = results.reduce((sum, result) => sum + result.failures, 0)
  console.log(`
${side.name}
  dashboard read over HTTP    ${served.toFixed(0)} /s, p50 ${median(results.map((r) => r.p50Ms)).toFixed(2)} ms, p99 ${median(results.map((r) => r.p99Ms)).toFixed(2)} ms, ${failures} failed
  limit                       ${limit.toFixed(0)} /s (${side.limitName})
  ratio                       ${ratio.toFixed(2)} (line ${side.line})
  start to first answer       ${median(starts).toFixed(0)} ms
  resident at rest            ${residentMb.toFixed(0)} MB${side.residentMbMax === undefined ? '' : ` (line ${side.residentMbMax})`}`)
  if (ratio < side.line) isLineMissed.push(`${side.name} ratio ${ratio.toFixed(2)} < ${side.line}`)
  if (failures > 0) isLineMissed.push(`${side.name}: ${failures} requests failed`)
  if (residentMb > (side.residentMbMax ?? Number.POSITIVE_INFINITY)) {
    isLineMissed.push(`${side.name}: ${residentMb.toFixed(0)} MB resident`)
  }
}

async function load(port: number, forSeconds: number): Promise<LoadResult> {
  const order: LoadOrder = {
    port,
    requests: await httpRequests(jwtSecret, port),
    connections,
    seconds: forSeconds,
  }
  const { stdout } = await run(process.execPath, ['bench/load.ts', JSON.stringify(order)])
  return JSON.parse(stdout) as LoadResult
}

async function runEmbeddedLimit(directory: string, batches: SqlStatement[][]): Promise<number> {
  const child = run(process.execPath, ['bench/embedded-limit.ts', directory, String(seconds)])
  child.child.stdin?.end(JSON.stringify(batches))
  return Number((await child).stdout)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
