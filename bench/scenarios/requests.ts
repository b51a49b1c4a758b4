/**
 * Measures single requests: the dashboard's five latest transactions, a balance, a customer's expense and an
 * administrator's deposit. The expense and the deposit each write a posting, a chain entry and an outbox row.
 */
import { randomUUID } from 'node:crypto'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { asCaller, auditedAs, scopeStatement } from '#server/database/scope.ts'
import { administratorOf, customerId, readersOf, sessionId } from '#bench/fixtures/customers.ts'
import type { Fixtures } from '#bench/fixtures/fixtures.ts'
import type { PostgresBank } from '#bench/fixtures/postgres-bank.ts'
import { answerOf, rowsOf } from '#bench/fixtures/rows.ts'
import type { MeasuredServer } from '#bench/fixtures/server-process.ts'
import { type WireRequest, batchesOf, claimsOf, httpTexts } from '#bench/fixtures/wire-request.ts'
import { httpSide } from '#bench/http-side.ts'
import { type Side, interleaveRounds, rateMetrics } from '#bench/interleave.ts'
import { runPgbench } from '#bench/limits/pgbench.ts'
import type { Metric } from '#testing/report.ts'
import type { Order, Scenario } from '#bench/scenario.ts'

const pgbench = 'pgbench, the same statements in one round trip'
const durably = `${pgbench}, commits forced to the disk as ours`
const lite = '`@supabase/lite` 0.10.0 on the same database'

/** Returns the request that the web page sends for the latest transactions. */
export function dashboardRequest(person: number): WireRequest {
  return {
    person,
    method: 'GET',
    path: `/rest/v1/transactions?select=*&user_id=eq.${customerId(person)}&order=date.desc&limit=5`,
  }
}

const bareText = `select coalesce(json_agg(row_to_json(t.*)), '[]')::text as body from (
  select user_id, id, type, description, amount, date, category, recorded_by
  from public.transactions where user_id = $1 order by date desc limit 5) t`

export const dashboard: Scenario = {
  title: 'Dashboard read, one process, PostgreSQL',
  limit: `${pgbench}; and node:http with \`pg\` and one prepared statement, no rights`,
  peers: lite,
  needs: ['peers'],
  run: (fixtures, order) =>
    race(fixtures, order, {
      requests: readersOf(fixtures.sizes.postgres).map(dashboardRequest),
      answer: (server) => rowsOf(server, dashboardRequest(1)),
      others: async (bank, sideOf) => [
        sideOf('node:http and pg', await bank.bare(bareText, ['user_id=eq\\.([\\w-]+)'])),
      ],
      lines: { pgbench: 0.55, '@supabase/lite': 12, 'node:http and pg': 0.7 },
    }),
}

export const dashboardEmbedded: Scenario = {
  title: 'Dashboard read, embedded engine',
  limit: 'bare PGlite over node:http: the same protocol bytes in the same thread, no token, no grammar',
  peers: '`@supabase/lite` 0.10.0 on its PGlite 0.4.5, without fsync',
  needs: ['peers'],
  async run(fixtures, order) {
    const bank = await fixtures.embedded()
    const people = readersOf(bank.size)
    const requests = people.map(dashboardRequest)
    const texts = await httpTexts(requests)
    const batches = await bank.ask((database) => batchesOf(database, requests))
    const rows = (server: MeasuredServer) => rowsOf(server, dashboardRequest(1))
    const server = await bank.server()
    const bare = await bank.bare(new Map(people.map((person, index) => [person, batches[index] ?? []])))
    const sides = [
      httpSide('Finanzas', { server, texts, order, answer: rows }),
      httpSide('bare PGlite over node:http', { server: bare, texts, order, answer: rows }),
      httpSide('@supabase/lite on PGlite', {
        server: bank.lite,
        texts,
        order,
        isPeer: true,
        // The peer's bank was created separately, and the ids and times of its rows differ from those of our bank. For
        // the peer, the scenario therefore checks only that the response contains rows.
        answer: async (peer) => ((await rows(peer)).length > 0 ? rows(server) : null),
      }),
    ]
    const lines = { 'bare PGlite over node:http': 0.85, '@supabase/lite on PGlite': 15 }
    return rateMetrics(await interleaveRounds(sides, order), lines)
  },
}

export const balance: Scenario = {
  title: 'Single balance, PostgreSQL',
  limit: pgbench,
  peers: lite,
  needs: ['peers'],
  run: (fixtures, order) =>
    race(fixtures, order, {
      requests: readersOf(fixtures.sizes.postgres).map(balanceRequest),
      // Some servers return the balance as a number and others as a string.
      answer: async (server) =>
        Number(((await answerOf(server, balanceRequest(1))) as { balance: unknown }).balance),
      lines: { pgbench: 0.55 },
    }),
}

/** Returns the request that the web page sends for one balance. The answer is a single object. */
export function balanceRequest(person: number): WireRequest {
  return {
    person,
    method: 'GET',
    path: `/rest/v1/budgets?select=balance&user_id=eq.${customerId(person)}`,
    headers: { accept: 'application/vnd.pgrst.object+json' },
  }
}

export const expense: Scenario = {
  title: 'Add an expense, with journal and chain, PostgreSQL',
  limit: durably,
  peers: `${lite}: the same triggers post, nothing is announced`,
  needs: ['peers'],
  run(fixtures, order) {
    const expenseOf = (person: number) => ({
      user_id: customerId(person),
      type: 'expense',
      description: 'Almuerzo',
      amount: 12.5,
      category: 'Comida',
    })
    const requests = readersOf(fixtures.sizes.postgres).map((person): WireRequest => ({
      person,
      method: 'POST',
      path: '/rest/v1/transactions',
      body: JSON.stringify(expenseOf(person)),
      headers: { prefer: 'return=minimal' },
    }))
    return race(fixtures, order, { requests, lines: { pgbench: 0.6 } })
  },
}

export const deposit: Scenario = {
  title: "An administrator's deposit, with journal, chain and audit, PostgreSQL",
  limit: durably,
  async run(fixtures, order) {
    const bank = await fixtures.postgres()
    const [person, readers] = [administratorOf(bank.size), readersOf(bank.size)]
    // The day's deposits exceed the amount above which staff must have entered the password a moment ago.
    await bank.owner.query(
      sql`select auth.record_proof(${customerId(person)}, ${sessionId(person)}, ${'password'})`,
    )
    const date = new Date().toISOString()
    const scope = asCaller({ role: 'authenticated', claims: claimsOf(person) }, 'write')
    const batches = readers.map((customer): SqlStatement[] => [
      scopeStatement(scope),
      auditedAs(randomUUID()),
      sql`select private.register_transaction(
        ${customerId(customer)}::uuid, ${'deposit'}, ${'12.5'}::numeric, ${'Nómina'},
        ${date}::timestamptz, ${null}, gen_random_uuid(), ${null}, ${null}) ->> 'id' as id`,
    ])
    const requests = readers.map((customer) =>
      depositRequest(person, { user_id: customerId(customer), amount: 12.5, description: 'Nómina', date }),
    )
    return race(fixtures, order, { requests, batches, isInLite: false, lines: { pgbench: 0.6 } })
  },
}

/** Returns the request that records an administrator's deposit. */
export function depositRequest(
  person: number,
  transaction: { user_id: string; amount: number; description: string; date: string },
): WireRequest {
  const transactionData = { ...transaction, type: 'deposit' }
  const body = JSON.stringify({ action: 'create', transactionData })
  return { person, method: 'POST', path: '/functions/v1/manage-transactions', body }
}

type Race = {
  readonly requests: readonly WireRequest[]
  /**
   * Statements that the database receives for the requests. By default, the database receives the statements that the
   * table API sends.
   */
  readonly batches?: SqlStatement[][]
  readonly isInLite?: boolean
  readonly answer?: (server: MeasuredServer) => Promise<unknown>
  readonly others?: (
    bank: PostgresBank,
    sideOf: (name: string, server: MeasuredServer) => Side,
  ) => Promise<Side[]>
  readonly lines: Readonly<Record<string, number>>
}

/**
 * Measures Finanzas, pgbench and the other sides in turns on PostgreSQL, and also measures lite, if lite has the
 * endpoint.
 */
async function race(
  fixtures: Fixtures,
  order: Order,
  { requests, batches, isInLite = true, answer, others, lines }: Race,
): Promise<Metric[]> {
  const bank = await fixtures.postgres()
  const texts = await httpTexts(requests)
  const statements = batches ?? (await batchesOf(bank.database, requests))
  const sideOf = (name: string, server: MeasuredServer | (() => Promise<MeasuredServer>), isPeer = false) =>
    httpSide(name, { server, texts, order, isPeer, answer })
  const sides = [
    sideOf('Finanzas', await bank.server()),
    pgbenchSide(bank, statements, order),
    ...(isInLite ? [sideOf('@supabase/lite', bank.lite, true)] : []),
    ...((await others?.(bank, sideOf)) ?? []),
  ]
  return rateMetrics(await interleaveRounds(sides, order), lines)
}

/** Returns a side that sends the server's statements without an HTTP server, under the server's login role. */
export function pgbenchSide(bank: PostgresBank, batches: SqlStatement[][], order: Order): Side {
  return {
    name: 'pgbench',
    measure: () => runPgbench({ ...bank, url: bank.servingUrl, batches, ...order }),
  }
}
