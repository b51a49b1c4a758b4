/**
 * A customer with 100,000 transactions reads all of them, newest first, in keyset pages of 1,000 rows as the web page
 * does. Compares the time of the unmodified client with the time of the client's statements when they are sent directly
 * to the database.
 */
import { createClient } from '@supabase/supabase-js'
import type { Database as Tables } from '@finanzas/contract/database-types.ts'
import { restRowsMax } from '@finanzas/contract/limits.ts'
import type { Database } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { customerId, historyReaderOf, historyRowsOf } from '#bench/fixtures/customers.ts'
import { metricWithoutThreshold } from '#testing/report.ts'
import { median } from '#testing/statistics.ts'
import { type Side, interleaveRounds, rateMetrics } from '#bench/interleave.ts'
import type { Scenario } from '#bench/scenario.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'
import { claimsOf, headersOf, tableStatements } from '#bench/fixtures/wire-request.ts'

export const fullList: Scenario = {
  title: 'Full list: 100,000 rows in pages of 1,000, PostgreSQL',
  limit:
    'node:http with `pg` and one prepared statement, no rights, through the same client; and the same statements alone',
  peers: '`@supabase/lite` 0.10.0 on the same database, through the same client',
  needs: ['peers'],
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const reader = historyReaderOf(bank.size)
    const rows = historyRowsOf(bank.size)
    const server = await bank.server()
    const bare = await bank.bare(bareText, bareParameters)
    const clients: Side[] = [
      listSide('Finanzas', rows, () => readByClient(server, reader)),
      listSide('node:http and pg', rows, () => readByClient(bare, reader)),
      listSide('statements alone', rows, () => readByStatements(bank.database, reader)),
      {
        ...listSide('@supabase/lite', rows, async () => readByClient(await bank.lite(), reader)),
        isPeer: true,
      },
    ]
    const rates = await interleaveRounds(clients, { ...order, rounds: Math.min(order.rounds, 3) })
    const seconds = rows / median(rates.get('Finanzas') ?? [])
    return [
      ...rateMetrics(rates, { 'node:http and pg': 0.5 }, 'rows/s'),
      metricWithoutThreshold('the whole list through the client', seconds, 's'),
    ]
  },
}

/** Query that returns the page of rows after the given row, or the first page. */
const bareText = `select coalesce(json_agg(row_to_json(t.*)), '[]')::text as body from (
  select user_id, id, type, description, amount, date, category, recorded_by
  from public.transactions
  where user_id = $1 and (date, id) < (coalesce($2, 'infinity')::timestamptz, coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff')::uuid)
  order by date desc, id desc limit ${restRowsMax}) t`
const bareParameters = ['user_id=eq\\.([\\w-]+)', 'date\\.lt\\."([^"]+)"', 'id\\.lt\\.([\\w-]+)']

function listSide(name: string, wanted: number, readWhole: () => Promise<number>): Side {
  return {
    name,
    async measure() {
      const startedAt = performance.now()
      const rows = await readWhole()
      if (rows !== wanted) throw new Error(`${rows} rows were read.`)
      return (rows * 1000) / (performance.now() - startedAt)
    },
  }
}

type LastRow = { date: string; id: string }

async function readByClient({ port }: MeasuredServer, reader: number): Promise<number> {
  const { apikey, authorization } = await headersOf(reader)
  const client = createClient<Tables>(`http://127.0.0.1:${port}`, apikey, {
    accessToken: async () => authorization.replace('Bearer ', ''),
  })
  return readAll(async (last) => {
    const query = client
      .from('transactions')
      .select('*')
      .eq('user_id', customerId(reader))
      .order('date', { ascending: false })
      .order('id', { ascending: false })
    const { data, error } = await (last === null ? query : query.or(after(last))).limit(restRowsMax)
    if (error !== null) throw new Error('A page was refused.', { cause: error })
    return data
  })
}

/** Sends the client's statements directly to the database, under the customer's role. */
async function readByStatements(database: Database, person: number): Promise<number> {
  const statementFor = tableStatements(database)
  const scope = asCaller({ role: 'authenticated', claims: claimsOf(person) }, 'read')
  return readAll(async (last) => {
    const query = new URLSearchParams([
      ['select', '*'],
      ['user_id', `eq.${customerId(person)}`],
      ['order', 'date.desc,id.desc'],
      ...(last === null ? [] : [['or', `(${after(last)})`]]),
      ['limit', String(restRowsMax)],
    ])
    const statement = await statementFor({
      person,
      method: 'GET',
      path: `/rest/v1/transactions?${query.toString()}`,
    })
    const [rows] = await database.transaction(scope, [statement])
    return JSON.parse(rows[0]?.body ?? '[]') as LastRow[]
  })
}

const after = ({ date, id }: LastRow) => `date.lt."${date}",and(date.eq."${date}",id.lt.${id})`

async function readAll(readPage: (last: LastRow | null) => Promise<readonly LastRow[]>): Promise<number> {
  let last: LastRow | null = null
  let count = 0
  for (;;) {
    const page = await readPage(last)
    count += page.length
    last = page.at(-1) ?? null
    if (page.length < restRowsMax) return count
  }
}
