/**
 * The sides that are compared answer the same rows, with a bank of three customers; `npm run bench` asks its peers for
 * them too, before it measures. Seen red with a limit of four in the bare server's statement, and with the bare
 * embedded server answering the last customer to everybody.
 */
import { afterAll, expect, test } from 'vitest'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { onEmbedded, onPostgres } from './dashboard-read.ts'
import { Places } from './places.ts'
import type { Order } from './scenario.ts'

const order: Order = { rounds: 1, seconds: 0.2, connections: 2 }
const size = { customers: 3, movementsEach: 8 }
const places = new Places({ postgres: size, embedded: size })

afterAll(() => places.close())

test('the server and the bare engine behind node:http answer the same rows, and both are measured', async () => {
  const metrics = await onEmbedded(places, order, { hasPeers: false })

  expect(metrics.map(({ what }) => what)).toContain('bare PGlite over node:http')
  for (const { value } of metrics) expect(Number.parseFloat(value)).toBeGreaterThan(0)
})

// Its sides are programs of PostgreSQL.
test.skipIf(findPostgresBinaries() === undefined)(
  'the server, pgbench and the bare driver behind node:http answer the same rows, and all are measured',
  async () => {
    const metrics = await onPostgres(places, { ...order, seconds: 1 }, { hasPeers: false })

    expect(metrics.map(({ what }) => what)).toContain('pgbench')
    for (const { value } of metrics) expect(Number.parseFloat(value)).toBeGreaterThan(0)
  },
)
