/** Measures a server's startup time and its memory use, both idle and under load. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as elapse } from 'node:timers/promises'
import { readersOf } from '#bench/fixtures/customers.ts'
import { dashboardRequest } from './requests.ts'
import { type Metric, atMost, metricWithoutThreshold } from '#testing/report.ts'
import { median } from '#testing/statistics.ts'
import { sendLoad } from '#bench/http-side.ts'
import { type Order, type Scenario, amountOf } from '#bench/scenario.ts'
import { type MeasuredServer, startMeasured } from '#bench/fixtures/server-process.ts'
import { httpTexts } from '#bench/fixtures/wire-request.ts'

const firstStartSecondsMax = 5
const startSecondsMax = 1
const restMs = 5000
const restMsShort = 200
const restMbMax = { embedded: 230, postgres: 120 }

export const coldStart: Scenario = {
  title: 'From the command to the first answer, embedded',
  async run(fixtures, { rounds }) {
    // Several years of transactions, with their journals, chains and balances.
    const directory = await (await fixtures.histories()).copy()
    const starts: Record<'first' | 'second' | 'killed' | 'old', number[]> = {
      first: [],
      second: [],
      killed: [],
      old: [],
    }
    const start = async (of: number[], dataDir: string, signal?: 'SIGKILL') => {
      const server = await startMeasured({ DATA_DIR: dataDir })
      of.push(server.startMs / 1000)
      await server.stop(signal)
    }
    for (let round = 0; round < rounds; round += 1) {
      const empty = await mkdtemp(join(tmpdir(), 'finanzas-bench-'))
      await start(starts.first, empty)
      await start(starts.second, empty, 'SIGKILL')
      await start(starts.killed, empty)
      await start(starts.old, directory)
      await rm(empty, { recursive: true })
    }
    return [
      atMost('first start, on an empty directory', median(starts.first), firstStartSecondsMax, 's'),
      atMost('second start', median(starts.second), startSecondsMax, 's'),
      metricWithoutThreshold('after an end by SIGKILL', median(starts.killed), 's'),
      atMost('with 100,000 movements', median(starts.old), startSecondsMax, 's'),
    ]
  },
}

export const memory: Scenario = {
  title: 'Memory of the server’s process, at rest and under load',
  peers: '`@supabase/lite` 0.10.0, under the same load',
  needs: ['peers'],
  async run(fixtures, order) {
    const postgres = await fixtures.postgres()
    const embedded = await fixtures.embedded()
    const texts = await httpTexts(readersOf(postgres.size).map(dashboardRequest))
    return [
      ...(await residents('PostgreSQL', postgres.freshServer, { texts, order, line: restMbMax.postgres })),
      ...(await residents('embedded', embedded.freshServer, { texts, order, line: restMbMax.embedded })),
      ...(order.isShort
        ? []
        : [
            ...(await residents('@supabase/lite on PostgreSQL', postgres.lite, { texts, order, line: null })),
            ...(await residents('@supabase/lite on PGlite', embedded.lite, { texts, order, line: null })),
          ]),
    ]
  },
}

type Residents = { texts: readonly string[]; order: Order; line: number | null }

/**
 * Returns the memory that a process uses after a few idle seconds and after a load. The threshold `line` is null for
 * another product; if that product fails, its row in the report shows the failure.
 */
function residents(
  name: string,
  start: () => Promise<MeasuredServer>,
  options: Residents,
): Promise<Metric[]> {
  const measured = measureResidents(name, start, options)
  if (options.line !== null) return measured
  return measured.catch((error: unknown) => {
    console.error(`${name} failed:`, error)
    return [metricWithoutThreshold(name, 'failed while it was measured')]
  })
}

async function measureResidents(
  name: string,
  start: () => Promise<MeasuredServer>,
  { texts, order, line }: Residents,
): Promise<Metric[]> {
  const server = await start()
  await elapse(amountOf(order, restMs, restMsShort))
  const restMb = (await server.memoryMb()).now
  await sendLoad(server, { texts, connections: order.connections, seconds: order.seconds * 2 })
  const most = (await server.memoryMb()).peak
  if (line !== null) await server.stop()
  return [
    line === null
      ? metricWithoutThreshold(`${name}, at rest`, restMb, 'MB')
      : atMost(`${name}, at rest`, restMb, line, 'MB'),
    metricWithoutThreshold(`${name}, the most at any moment, start and load included`, most, 'MB'),
  ]
}
