/** One balance, as the page asks for it: one row, as an object. */
import { customerId, readersOf } from '#bench/fixtures/customers.ts'
import { httpSide } from '#bench/http-side.ts'
import { interleaveRounds, rateMetrics } from '#bench/interleave.ts'
import { runPgbench } from '#bench/limits/pgbench.ts'
import type { Scenario } from '#bench/scenario.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'
import { type WireRequest, batchesOf, headersOf, httpTexts } from '#bench/fixtures/wire-request.ts'

export const balance: Scenario = {
  title: 'Single balance, PostgreSQL',
  limit: 'pgbench, the same statements in one round trip',
  peers: '`@supabase/lite` 0.10.0 on the same database',
  needs: ['peers'],
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const requests = readersOf(bank.size).map((person): WireRequest => ({
      person,
      method: 'GET',
      path: `/rest/v1/budgets?select=balance&user_id=eq.${customerId(person)}`,
      headers: { accept: 'application/vnd.pgrst.object+json' },
    }))
    const texts = await httpTexts(requests)
    const batches = await batchesOf(bank.database, requests)
    const [server, lite] = [await bank.server(), await bank.lite()]
    const rates = await interleaveRounds(
      [
        httpSide('Finanzas', { server, texts, order, answer: () => balanceAt(server, requests[0]) }),
        { name: 'pgbench', measure: () => runPgbench({ ...bank, url: bank.servingUrl, batches, ...order }) },
        httpSide('@supabase/lite', {
          server: lite,
          texts,
          order,
          answer: () => balanceAt(lite, requests[0]),
        }),
      ],
      order.rounds,
    )
    return rateMetrics(rates, {})
  },
}

/** The balance that a server answers, whether as a number or as text. */
async function balanceAt(server: MeasuredServer, request: WireRequest | undefined): Promise<string> {
  if (request === undefined) throw new Error('The bank is empty.')
  const answer = await fetch(`http://127.0.0.1:${server.port}${request.path}`, {
    headers: { ...(await headersOf(request.person)), ...request.headers },
  })
  const row = (await answer.json()) as { balance: number | string }
  return Number(row.balance).toFixed(2)
}
