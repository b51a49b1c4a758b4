/** The read that every sign-in begins with: the five latest movements, with the customer's own rights. */
import type { SqlStatement } from '#server/database/database.ts'
import { type BankSize, customerId, readersOf } from '#bench/fixtures/customers.ts'
import type { Metric } from '#testing/report.ts'
import { httpSide } from '#bench/http-side.ts'
import { type Side, interleaveRounds, rateMetrics } from '#bench/interleave.ts'
import { runPgbench } from '#bench/limits/pgbench.ts'
import { graphqlRows, graphqlTexts, restRows } from '#bench/fixtures/rows.ts'
import type { Order, Scenario } from '#bench/scenario.ts'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'
import { type WireRequest, batchesOf, httpTexts } from '#bench/fixtures/wire-request.ts'

const lines = {
  postgres: { pgbench: 0.45, '@supabase/lite': 25, PostGraphile: 9 },
  embedded: { 'bare PGlite over node:http': 0.85, '@supabase/lite on PGlite': 15 },
}

/** One page of the newest, as the page asks for it. */
export function dashboardRequest(person: number): WireRequest {
  return {
    person,
    method: 'GET',
    path: `/rest/v1/transactions?select=*&user_id=eq.${customerId(person)}&order=date.desc&limit=5`,
  }
}

const graphqlQuery = `query ($user: UUID!) {
  allTransactions(condition: { userId: $user }, orderBy: [DATE_DESC], first: 5) {
    nodes { userId rowId type description amount date category recordedBy }
  }
}`

const bareText = `select coalesce(json_agg(row_to_json(t.*)), '[]')::text as body from (
  select user_id, id, type, description, amount, date, category, recorded_by
  from public.transactions where user_id = $1 order by date desc limit 5) t`

export const dashboard: Scenario = {
  title: 'Dashboard read, one process, PostgreSQL',
  limit:
    'pgbench, the same statements in one round trip; and node:http with `pg` and one prepared statement, no rights',
  peers: '`@supabase/lite` 0.10.0 on the same database, PostGraphile 5.1.5 on the same policies',
  needs: ['peers'],
  run: (fixtures, order) => onPostgres(fixtures, order),
}

export const dashboardEmbedded: Scenario = {
  title: 'Dashboard read, embedded engine',
  limit: 'bare PGlite over node:http: the same protocol bytes in the same thread, no token, no grammar',
  peers: '`@supabase/lite` 0.10.0 on its PGlite 0.4.5, without fsync',
  needs: ['peers'],
  run: (fixtures, order) => onEmbedded(fixtures, order),
}

/** All sides on PostgreSQL, in turns. */
async function onPostgres(fixtures: Fixtures, order: Order): Promise<Metric[]> {
  const bank = await fixtures.postgres()
  const { requests, first } = requestsOf(bank.size)
  const texts = await httpTexts(requests)
  const batches = await batchesOf(bank.database, requests)
  const server = await bank.server()
  const bare = await bank.bare(bareText)
  const sides: Side[] = [
    httpSide('Finanzas', { server, texts, order, answer: () => restRows(server, first) }),
    {
      name: 'pgbench',
      measure: () => runPgbench({ ...bank, url: bank.servingUrl, batches, ...order }),
    },
    httpSide('node:http and pg', { server: bare, texts, order, answer: () => restRows(bare, first) }),
  ]
  const [lite, postgraphile] = [await bank.lite(), await bank.postgraphile()]
  const graphql = await graphqlTexts(requests, graphqlQuery)
  sides.push(
    httpSide('@supabase/lite', { server: lite, texts, order, answer: () => restRows(lite, first) }),
    httpSide('PostGraphile', {
      server: postgraphile,
      texts: graphql,
      order,
      answer: () => graphqlRows(postgraphile, first, graphqlQuery),
    }),
  )
  return rateMetrics(await interleaveRounds(sides, order.rounds), lines.postgres)
}

/** All sides on the embedded engine, in turns. */
async function onEmbedded(fixtures: Fixtures, order: Order): Promise<Metric[]> {
  const bank = await fixtures.embedded()
  const { requests, first } = requestsOf(bank.size)
  const texts = await httpTexts(requests)
  const batches = await bank.ask((database) => batchesOf(database, requests))
  const byCustomer = new Map<number, SqlStatement[]>(
    requests.map(({ person }, index) => [person, batches[index] ?? []]),
  )
  const server = await bank.server()
  const bare = await bank.bare(byCustomer)
  const sides: Side[] = [
    httpSide('Finanzas', { server, texts, order, answer: () => restRows(server, first) }),
    httpSide('bare PGlite over node:http', {
      server: bare,
      texts,
      order,
      answer: () => restRows(bare, first),
    }),
  ]
  const lite = await bank.lite()
  sides.push(
    httpSide('@supabase/lite on PGlite', {
      server: lite,
      texts,
      order,
      // Its bank was made a moment later: ids and times of its rows are its own.
      answer: async () => ((await restRows(lite, first)).length > 0 ? restRows(server, first) : []),
    }),
  )
  return rateMetrics(await interleaveRounds(sides, order.rounds), lines.embedded)
}

function requestsOf(size: BankSize): { requests: WireRequest[]; first: WireRequest } {
  const requests = readersOf(size).map(dashboardRequest)
  const [first] = requests
  if (first === undefined) throw new Error('The bank is empty.')
  return { requests, first }
}
