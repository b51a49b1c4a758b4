// The authorization matrix over HTTP and realtime (security.md AZ-01): each actor tries everything that the server offers,
// on own rows and on others'. Attempts that supabase/authorization/permissions.ts does not permit must be refused or
// have no effect; outcomes.txt has the outcome of every attempt.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPermitted, unusedPermissions } from '#supabase/authorization/is-permitted.ts'
import { type WireActor, makeActors } from './actors.ts'
import { type WireAttempt, listAttempts } from './attempts.ts'
import { readOffered } from './description.ts'
import { importedRows } from './imported-rows.ts'
import { type Subscriber, realtimeResults, subscribe } from './realtime-probe.ts'
import {
  type AttemptResult,
  isDone,
  isRefused,
  outcomesText,
  permissionsPage,
  runAttempt,
} from './outcomes.ts'

/** Those of the publication. */
const receivedTables = ['transactions', 'budgets', 'imports', 'categories', 'category_rules']
const results: AttemptResult[] = []
const subscribers: Subscriber[] = []

beforeAll(async () => {
  const offered = await readOffered()
  const actors = await makeActors()
  const realtime = await probeRealtime(actors, offered.tables)
  const byActor = actors.map((actor) => listAttempts(actor, offered))
  // Deletions come when every other attempt is over, as does what another attempt prepares,
  const isLast = ({ attempt: { verb, object } }: WireAttempt) =>
    verb === 'delete' ||
    (verb === 'invoke' && object !== 'manage-users:change_email' && object !== 'statement') ||
    object === 'delete_user' ||
    object === 'cancel_email_change'
  // and the deletion of the own account after those.
  const isVeryLast = ({ attempt }: WireAttempt) => attempt.object === 'delete-account'
  const phaseOf = (each: WireAttempt) => (isVeryLast(each) ? 2 : isLast(each) ? 1 : 0)
  for (const phase of [0, 1, 2]) {
    const outcomes = await Promise.all(
      byActor.map(async (attempts) => {
        const mine: AttemptResult[] = []
        for (const each of attempts.filter((attempt) => phaseOf(attempt) === phase))
          mine.push({ attempt: each.attempt, outcome: await runAttempt(each) })
        return mine
      }),
    )
    results.push(...outcomes.flat())
  }
  results.push(...realtime)
}, 240_000)
afterAll(() => Promise.all(subscribers.map((subscriber) => subscriber.close())))

test('there are at least 1,500 attempts', () => {
  expect(results.length).toBeGreaterThanOrEqual(1500)
})

test('no actor does what no sentence permits', () => {
  expect(
    results.filter(({ attempt, outcome }) => !isPermitted(attempt) && !isRefused(outcome)).map(line),
  ).toEqual([])
})

test('every permitted attempt succeeds', () => {
  expect(
    results.filter(({ attempt, outcome }) => isPermitted(attempt) && !isDone(outcome)).map(line),
  ).toEqual([])
})

test('every sentence about the wire is about something that is tried', () => {
  const isBeneath = (sentence: string) => / (private|ledger)\./.test(sentence)

  expect(unusedPermissions(results.map(({ attempt }) => attempt)).filter((each) => !isBeneath(each))).toEqual(
    [],
  )
})

test('every function that the server serves is tried', async () => {
  // The wire has no list of its functions; the table of their handlers is the only one.
  const handlers = await readFile('server/functions/handlers/call.ts', 'utf8')
  const table = /^const handlers: .*? = \{\n(.*?)^\}/ms.exec(handlers)?.[1] ?? ''
  const served = [...table.matchAll(/^ {2}'?([a-z-]+)'?:/gm)].map(([, name]) => name)

  expect(served.length).toBeGreaterThan(0)
  const invoked = results.filter(({ attempt }) => attempt.verb === 'invoke')
  expect(new Set(served)).toEqual(new Set(invoked.map(({ attempt }) => attempt.object.split(':')[0])))
})

test('docs/authorization.md lists what is permitted, outcomes.txt how every attempt ended', async () => {
  await expect(permissionsPage(results)).toMatchFileSnapshot('../../../docs/authorization.md')
  await expect(outcomesText(results)).toMatchFileSnapshot('outcomes.txt')
})

function line({ attempt, outcome }: AttemptResult): string {
  return `${Object.values(attempt).join(' | ')}: ${outcome}`
}

async function probeRealtime(
  actors: readonly WireActor[],
  tables: readonly { name: string; owner: string | null }[],
): Promise<readonly AttemptResult[]> {
  subscribers.push(...(await Promise.all(actors.map((actor) => subscribe(actor, tables)))))
  const writers = actors.filter(({ name }) =>
    ['customer', 'other customer', 'forger', 'administrator', 'returned administrator'].includes(name),
  )
  const write = ({ headers, own }: WireActor, amount: number) =>
    runAttempt({
      attempt: { actor: 'customer', verb: 'insert', object: 'transactions', column: null, target: 'own' },
      method: 'POST',
      path: '/rest/v1/transactions',
      headers: { ...headers, 'content-type': 'application/json' },
      body: { user_id: own, type: 'expense', description: 'Café', amount, category: 'Comida' },
    })
  const importRows = ({ headers }: WireActor) =>
    runAttempt({
      attempt: {
        actor: 'customer',
        verb: 'call',
        object: 'import_transactions',
        column: null,
        target: 'own',
      },
      method: 'POST',
      path: '/rest/v1/rpc/import_transactions',
      headers: { ...headers, 'content-type': 'application/json' },
      body: { id: randomUUID(), rows: importedRows },
    })
  for (const writer of writers) await write(writer, 1)
  const keepRow = ({ headers, own }: WireActor, table: string, row: object) =>
    runAttempt({
      attempt: { actor: 'customer', verb: 'insert', object: table, column: null, target: 'own' },
      method: 'POST',
      path: `/rest/v1/${table}`,
      headers: { ...headers, 'content-type': 'application/json' },
      body: { user_id: own, ...row },
    })
  for (const writer of writers) await importRows(writer)
  for (const writer of writers) {
    await keepRow(writer, 'categories', { name: 'Jardín' })
    await keepRow(writer, 'category_rules', { contains: 'Vivero', category: 'Jardín' })
  }
  // Changes go out together and in order: when each writer has received its own, none is on its way.
  for (const table of receivedTables) {
    await Promise.all(
      subscribers
        .filter(({ actor }) => writers.includes(actor))
        .map((subscriber) => subscriber.until(table, subscriber.actor.own ?? '')),
    )
  }
  return subscribers.flatMap((subscriber) => realtimeResults(subscriber, receivedTables))
}
