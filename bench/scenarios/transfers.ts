/**
 * Measures transfers between customers, without an administrator's decision. Each transfer writes a request and two
 * postings in two chains. Each transfer also writes outbox rows for the request, both transactions and both balances.
 */
import { sql } from '#server/database/database.ts'
import { type Pair, beneficiaryId, fillPayers, transferEnvironment } from '#bench/fixtures/payers.ts'
import { type WireRequest, batchesOf, httpTexts } from '#bench/fixtures/wire-request.ts'
import { httpSide } from '#bench/http-side.ts'
import { type Side, interleaveRounds, rateMetrics } from '#bench/interleave.ts'
import { runPgbench } from '#bench/limits/pgbench.ts'
import type { PostgresBank } from '#bench/fixtures/postgres-bank.ts'
import { atLeast } from '#testing/report.ts'
import { median } from '#testing/statistics.ts'
import type { Scenario } from '#bench/scenario.ts'

/** Smallest allowed rate: the number of transfers per second, and the share of pgbench's rate. */
const [perSecondMin, shareMin] = [200, 0.6]
const product = 'Finanzas'

export const transfers: Scenario = {
  title: 'A transfer between customers, with both postings and chains, PostgreSQL',
  limit: 'pgbench, the same statements in one round trip, commits forced to the disk as ours',
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    // Each connection has its own payer and payee, because two transfers of one payer wait for each other.
    const pairs = Array.from({ length: order.connections }, (_, index) => ({
      payer: 1 + index,
      payee: 1 + order.connections + index,
    }))
    await fillPayers(bank.owner, pairs)
    // When the server starts, it enables transfers in the database that pgbench also uses.
    const server = await bank.freshServer(transferEnvironment)
    try {
      const requests = pairs.map(transferRequest)
      const texts = await httpTexts(requests)
      const batches = await batchesOf(bank.database, requests)
      const sides = [
        httpSide(product, { server, texts, order }),
        {
          name: 'pgbench',
          measure: () => runPgbench({ ...bank, url: bank.servingUrl, batches, repeats: true, ...order }),
        },
      ].map((side) => onNewDay(bank, side))
      const rates = await interleaveRounds(sides, order)
      return [
        ...rateMetrics(rates, { pgbench: shareMin }),
        atLeast('transfers per second', median(rates.get(product) ?? []), perSecondMin, '/s'),
      ]
    } finally {
      await server.stop()
    }
  },
}

function transferRequest({ payer }: Pair): WireRequest {
  const body = JSON.stringify({ id: '%ID%', beneficiary_id: beneficiaryId(payer), amount: 0.01 })
  return { person: payer, method: 'POST', path: '/rest/v1/rpc/request_transfer', body }
}

/**
 * Moves all transfers to an earlier day before each measurement. The bank adds up the transfers of the day, and no
 * customer requests a thousand transfers on one day.
 */
function onNewDay({ owner }: PostgresBank, side: Side): Side {
  return {
    ...side,
    async measure() {
      await owner.query(sql`update public.requests set asked_at = asked_at - interval '2 days'`)
      await owner.query(sql`vacuum (analyze) public.requests`)
      return side.measure()
    },
  }
}
