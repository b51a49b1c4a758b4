/** Start-up time and memory of a server, idle and under load. */
import { setTimeout as elapse } from 'node:timers/promises'
import { readersOf } from '#bench/fixtures/customers.ts'
import { dashboardRequest } from './requests.ts'
import { type Metric, atMost, known } from '#testing/report.ts'
import { median } from '#testing/statistics.ts'
import { sendLoad } from '#bench/http-side.ts'
import type { Order, Scenario } from '#bench/scenario.ts'
import { type MeasuredServer, startMeasured } from '#bench/fixtures/server-process.ts'
import { httpTexts } from '#bench/fixtures/wire-request.ts'

const startMsMax = 2000
const restMs = 5000
const restMbMax = { embedded: 240, postgres: 120 }

export const coldStart: Scenario = {
  title: 'Start with an existing directory of 100,000 movements, embedded',
  limit: 'none: the line is the issue’s own',
  peers: 'none: a peer that embeds an engine keeps no directory across versions of it',
  needs: [],
  async run(fixtures, { rounds }) {
    // As a bank has them after years: with journal, chain and balance.
    const directory = (await fixtures.histories()).copy()
    const starts: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const server = await startMeasured({ DATA_DIR: directory })
      starts.push(server.startMs)
      await server.stop()
    }
    return [atMost('from the command to the first answer', median(starts) / 1000, startMsMax / 1000, 's')]
  },
}

export const memory: Scenario = {
  title: 'Memory of the server’s process, at rest and under load',
  limit: 'none: the lines are the issue’s own, for a server at rest',
  peers: '`@supabase/lite` 0.10.0, under the same load',
  needs: ['peers'],
  async run(fixtures, order) {
    const postgres = await fixtures.postgres()
    const embedded = await fixtures.embedded()
    const texts = await httpTexts(readersOf(postgres.size).map(dashboardRequest))
    return [
      ...(await residents('PostgreSQL', postgres.freshServer, { texts, order, line: restMbMax.postgres })),
      ...(await residents('embedded', embedded.freshServer, { texts, order, line: restMbMax.embedded })),
      ...(await residents('@supabase/lite on PostgreSQL', postgres.lite, { texts, order, line: null })),
      ...(await residents('@supabase/lite on PGlite', embedded.lite, { texts, order, line: null })),
    ]
  },
}

/** A process after some seconds of nothing, and after a load. */
async function residents(
  name: string,
  start: () => Promise<MeasuredServer>,
  { texts, order, line }: { texts: readonly string[]; order: Order; line: number | null },
): Promise<Metric[]> {
  const server = await start()
  await elapse(restMs)
  const restMb = (await server.memoryMb()).now
  await sendLoad(server, { texts, connections: order.connections, seconds: order.seconds * 2 })
  const most = (await server.memoryMb()).peak
  if (line !== null) await server.stop()
  return [
    line === null ? known(`${name}, at rest`, restMb, 'MB') : atMost(`${name}, at rest`, restMb, line, 'MB'),
    known(`${name}, the most at any moment, start and load included`, most, 'MB'),
  ]
}
