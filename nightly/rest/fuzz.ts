/**
 * Sends random requests to the table API as one customer. An answer must not be a server error, reveal internals,
 * contain another customer's row or take longer than a second. Filtered reads must return exactly the rows that an
 * in-memory evaluator selects.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type FuzzRequest, fuzzRequests } from '#server/rest/testing/example-requests.ts'
import { unlistedShapes } from '#server/rest/testing/sql-shapes.ts'
import { type Metric, counted, metricWithoutThreshold, none } from '#testing/report.ts'
import { type Meaning, type PlainRow, meanings } from './fuzz-evaluator.ts'
import { type Engine, startBankServer } from '#nightly/fixtures/servers.ts'
import { type Person, signUp } from '#testing/people.ts'

/** Number of random requests, and number of filters to compare with the evaluator. */
export type FuzzSize = {
  readonly engine: Engine
  readonly requests: number
  readonly filters: number
  readonly seed: number
}

const columns = [
  'user_id',
  'id',
  'type',
  'description',
  'amount',
  'date',
  'category',
  'recorded_by',
  'origin',
  'origin_id',
]
const named = {
  tables: [
    { name: 'transactions', columns },
    { name: 'transactions', columns },
    { name: 'budgets', columns: ['user_id', 'balance', 'monthly_limit'] },
    {
      name: 'journal_entries',
      columns: ['user_id', 'seq', 'kind', 'delta', 'balance_after', 'recorded_at', 'hash'],
    },
    { name: 'profiles', columns: ['id', 'full_name', 'role'] },
    { name: 'user_safe', columns: ['id', 'email', 'last_sign_in_at'] },
    { name: 'audit_entries', columns: ['id', 'actor', 'action', 'target', 'before'] },
    { name: 'rpc/explain_balance', columns: ['balance', 'opening', 'last_seq'] },
    { name: 'rpc/restore_transaction', columns: ['id', 'amount'] },
  ],
  embeds: [
    'user_safe(email)',
    'profiles!inner(role)',
    'user_safe(profiles(user_safe(email)))',
    'budgets(balance)',
    'users(email)',
  ],
}
const atOnce = 8
const secondMs = 1000
/** Text that would reveal internals of the server. */
const inside =
  /SQLSTATE|PGRSTX|at [^\n]*\.ts:\d|node_modules|\/home\/|\/tmp\/|select set_config|row_to_json|pg_catalog|ledger\.|private\.|auth\.users/

type Target = { readonly url: string; readonly anonKey: string }
type Finding = { readonly what: string; readonly request: FuzzRequest; readonly answer: string }

/** Sends the requests and prints each finding with the request that caused it. */
export async function runFuzz({ engine, requests, filters, seed }: FuzzSize): Promise<Metric[]> {
  // The requests are generated before a connection is opened, because generating them blocks the process, and the
  // server closes idle connections.
  const all = fc.sample(fuzzRequests(named), { numRuns: requests, seed })
  const asked = fc.sample(meanings, { numRuns: filters, seed })
  const { written, unlisted } = unlistedShapes({ requests, seed })
  const { server: running, close } = await startBankServer(engine)
  const server: Target = { url: running.url, anonKey: await running.anonKey() }
  try {
    const customer = await signUp(server)
    const other = await signUp(server)
    const secrets = await addSecrets(server, other)
    const findings: Finding[] = []
    let slowestMs = 0
    let done = 0
    let served = 0
    await concurrently(all, async (request) => {
      const checked = await checkAnswer(server, customer, { request, secrets })
      done += 1
      if (checked.isServed) served += 1
      slowestMs = Math.max(slowestMs, checked.ms)
      findings.push(...checked.findings)
    })
    const compared = await compareFilters(server, { asked, seed })
    for (const { what, request, answer } of findings.slice(0, 10)) {
      process.stdout.write(
        `${what}: ${request.method} ${request.path} ${JSON.stringify(request)}\n  ${answer.slice(0, 300)}\n`,
      )
    }
    const of = (what: string) => findings.filter((finding) => finding.what === what)
    return [
      metricWithoutThreshold('seed', String(seed)),
      counted(`requests, ${engine}`, done, requests),
      counted('of which were answered with success', served),
      none('answers of 500 and more', of('failed')),
      none('answers that show the inside', of('inside')),
      none('answers with rows of another customer', of('foreign')),
      none('answers after more than a second, three times over', of('slow')),
      counted('statements whose shapes were compared with the list', written),
      none('shapes of SQL that are not on the list', unlisted),
      metricWithoutThreshold('slowest', `${slowestMs.toFixed(0)} ms`),
      counted('filters compared', compared.done, filters),
      none('filters that answer other rows than they mean', compared.different),
    ]
  } finally {
    await close()
  }
}

async function checkAnswer(
  server: Target,
  customer: Person,
  { request, secrets }: { request: FuzzRequest; secrets: readonly string[] },
): Promise<{ ms: number; isServed: boolean; findings: Finding[] }> {
  const { status, text, ms: firstMs } = await send(server, customer, request)
  let ms = firstMs
  // A slow request is sent again: a busy machine delays a request only occasionally, but an expensive request is slow
  // every time.
  for (let again = 0; again < 2 && ms > secondMs; again += 1)
    ms = Math.min(ms, (await send(server, customer, request)).ms)
  const finding = (what: string): Finding => ({ what, request, answer: `${status} ${text}` })
  const said = `${decode(request.path)} ${JSON.stringify(request.headers)} ${request.body ?? ''}`
  const shown = inside.exec(text)?.[0]
  return {
    ms,
    isServed: status < 300,
    findings: [
      ...(status >= 500 ? [finding('failed')] : []),
      ...(shown !== undefined && !said.includes(shown) ? [finding('inside')] : []),
      ...(secrets.some((secret) => text.includes(secret)) ? [finding('foreign')] : []),
      ...(ms > secondMs ? [finding('slow')] : []),
    ],
  }
}

async function send(
  { url, anonKey }: Target,
  { session }: Person,
  { method, path, headers, body }: FuzzRequest,
): Promise<{ status: number; text: string; ms: number }> {
  const startedAt = performance.now()
  const answer = await fetch(`${url}/rest/v1${path}`, {
    method,
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${session.access_token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === null ? {} : { body }),
  })
  const text = await answer.text()
  return { status: answer.status, text, ms: performance.now() - startedAt }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** Records rows for another customer. Returns words from these rows that do not occur in any request. */
async function addSecrets(server: Target, other: Person): Promise<readonly string[]> {
  const ids = Array.from({ length: 5 }, () => randomUUID())
  const rows = ids.map((id) => ({
    id,
    user_id: other.id,
    type: 'expense',
    description: `secreto-${id}`,
    amount: 77_123.45,
  }))
  const { status } = await post(server, other, rows)
  if (status !== 201) throw new Error(`The rows were refused: ${status}`)
  return [...ids, other.id, 'secreto-', '77123.45']
}

function post(server: Target, account: Person, rows: readonly object[]) {
  return send(server, account, {
    method: 'POST',
    path: '/transactions',
    headers: {},
    body: JSON.stringify(rows),
  })
}

async function compareFilters(
  server: Target,
  { asked, seed }: { asked: readonly Meaning[]; seed: number },
): Promise<{ done: number; different: readonly string[] }> {
  const account = await signUp(server)
  const row = fc.record({
    id: fc.uuid({ version: 4 }),
    amount: fc.integer({ min: 1, max: 12 }),
    description: fc.constantFrom('Café', 'Comida', 'Arriendo', 'Cocina'),
    category: fc.option(fc.constantFrom('Comida', 'Otros', 'Café')),
  })
  const rows: PlainRow[] = fc.sample(row, { numRuns: 40, seed })
  const { status, text } = await post(
    server,
    account,
    rows.map((each) => ({ ...each, user_id: account.id, type: 'expense' })),
  )
  if (status !== 201) throw new Error(`The rows were refused: ${text}`)
  const different: string[] = []
  let done = 0
  await concurrently(asked, async ({ text: filter, holds }) => {
    const query = new URLSearchParams({ select: 'id', and: `(${filter})` })
    const answer = await send(server, account, {
      method: 'GET',
      path: `/transactions?${query.toString()}`,
      headers: {},
      body: null,
    })
    const wanted = rows.filter((each) => holds(each) === true).map(({ id }) => id)
    const came =
      answer.status === 200
        ? (JSON.parse(answer.text) as { id: string }[]).map(({ id }) => id)
        : [answer.text]
    done += 1
    if (wanted.sort().join() !== came.sort().join()) {
      different.push(filter)
      process.stdout.write(
        `${filter}: ${wanted.length} rows meant, ${came.length} came: ${answer.text.slice(0, 200)}\n`,
      )
    }
  })
  return { done, different }
}

/** Calls `work` for every item of the list, running a few calls concurrently. */
async function concurrently<T>(list: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = list.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of rest) await work(item)
    }),
  )
}
