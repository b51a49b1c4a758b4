// Each surface acts with the caller's own privileges (security.md AZ-01). The SQL tests of the permission matrix cannot
// find an error in a surface. Therefore one test for each surface sends requests as every actor, about the actor's own
// rows and about another person's rows. tests/wire/auth/admin.test.ts tests /auth/v1/admin.
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { ManageUsers } from '@finanzas/contract/wire/functions.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPermitted, ownerColumn, unusedPermissions } from '#supabase/authorization/is-permitted.ts'
import { newCredentials, newEmail, population } from '#testing/population.ts'
import { hasOwner, runAsOwner } from '#tests/wire/owner-sql.ts'
import { administrator, createAccount } from '#tests/wire/people.ts'
import { type WireActor, makeActors } from './actors.ts'
import { type Request, type Result, attemptAll, unexpected } from './attempts.ts'
import { type Catalogue, readCatalogue } from '#testing/catalogue.ts'
import { type Subscriber, realtimeResults, subscribe } from './realtime-probe.ts'

let actors: readonly WireActor[]
let catalogue: Catalogue
const subscribers: Subscriber[] = []
const tried: Result[] = []

beforeAll(async () => {
  ;[catalogue, actors] = await Promise.all([readCatalogue(), makeActors()])
}, 120_000)
afterAll(() => Promise.all(subscribers.map((subscriber) => subscriber.close())))

test('the realtime surface sends each person only their own rows', { timeout: 120_000 }, async () => {
  const tables = catalogue.tables.map(({ name, columns }) => ({
    name,
    owner: ownerColumn(
      name,
      columns.map((column) => column.name),
    ),
  }))
  subscribers.push(...(await Promise.all(actors.map((actor) => subscribe(actor, tables)))))
  const writers = subscribers.filter(({ actor: { name } }) => people.has(name))
  await attemptAll(
    writers.map(({ actor }) => actor),
    ({ own }) => [
      ...publishedRows.map(([object, row]) => insert(object, 'own', { user_id: own, ...row })),
      call('import_transactions', 'none', { id: randomUUID(), rows: importedRows }),
    ],
  )
  if (hasOwner) await runAsOwner(writers.map(({ actor: { own } }) => rowsOfOwner(own ?? '')).join(';'))
  // Waits for a permitted change in each table. Changes arrive in order, so all earlier changes have arrived before the
  // last permitted change.
  for (const each of subscribers) {
    const { name, own, other } = each.actor
    const target = own === null ? 'other' : 'own'
    for (const object of receivedTables)
      if (isPermitted({ actor: name, verb: 'receive', object, column: null, target }))
        await each.until(object, own ?? other)
  }

  check(subscribers.flatMap((subscriber) => realtimeResults(subscriber, receivedTables)))
})

test('the table API reads and writes with the caller’s privileges', async () => {
  check(
    await attemptAll(actors, (actor) => [
      ...aimsOf(actor).flatMap(([target, person]) => [
        ...['transactions', 'budgets'].flatMap((table) => reads(table, target, `user_id=eq.${person}`)),
        ...reads('profiles', target, `id=eq.${person}`),
        insert('transactions', target, { ...expense, user_id: person }),
        change('transactions', target, `user_id=eq.${person}&recorded_by=eq.customer`, { category: 'Otro' }),
        change('budgets', target, `user_id=eq.${person}`, { monthly_limit: 5 }),
        change('profiles', target, `id=eq.${person}`, { role: 'user' }),
        remove('transactions', target, `user_id=eq.${person}&category=eq.Otro`),
        insert('transactions', target, { ...expense, user_id: person }),
      ]),
      ...hiddenTables.flatMap(([schema, table]): Request[] => [
        { ...read(`${schema}.${table}`, table), headers: { 'accept-profile': schema } },
        read(`${schema}.${table}`, table),
      ]),
    ]),
  )
})

test('the table API embeds a table only where a permission allows it', async () => {
  const rows = [
    change('transactions', 'own', 'recorded_by=eq.customer', { category: 'Café' }),
    call('save_recurring_expense', 'none', { id: randomUUID(), ...recurring }),
  ]
  const office = (await administrator()).client
  for (const { own } of actors.filter(({ name }) => name === 'administrator'))
    await office.rpc('create_batch', {
      id: randomUUID(),
      title: 'nomina.csv',
      lines: [{ line: 1, user_id: own, amount: 1, description: 'Nómina' }],
    })
  await attemptAll(
    actors.filter(({ name }) => people.has(name)),
    () => rows,
  )

  check(
    await attemptAll(actors, () =>
      embeds.map(([table, embedded]) => ({
        ...read(table, `${table}?select=${embedded}!inner(*)`),
        verb: 'embed',
        object: `${table} with ${embedded}`,
      })),
    ),
  )
})

test('an rpc runs with the caller’s privileges', async () => {
  check(
    await attemptAll(actors, (actor) => [
      call('explain_balance', 'none', {}),
      call('sum_bank', 'none', {}),
      call('read_bank_state', 'none', {}),
      ...aimsOf(actor).flatMap(([target, user_id]) => [
        call('open_customer', target, { user_id }),
        call('read_customer_balance', target, { user_id }),
        call('record_audit', target, {
          action: 'word',
          actor: user_id,
          target: user_id,
          before: null,
          after: null,
        }),
      ]),
    ]),
  )
})

test('a caller with only the public key is refused every table and function in the catalogue', async () => {
  const anonymous = actors.filter(({ name }) => name === 'anonymous')
  const results = await attemptAll(anonymous, () => [
    ...catalogue.tables.map(({ name }) => read(name, name)),
    ...catalogue.functions.map(({ name, parameters }) =>
      call(name, 'none', Object.fromEntries(parameters.map((parameter) => [parameter, null]))),
    ),
  ])

  expect(results.length).toBeGreaterThan(50)
  expect(results.filter(({ outcome }) => outcome !== '401 42501')).toEqual([])
})

test(
  'the functions serve only callers whom the permissions in the database allow',
  { timeout: 120_000 },
  async () => {
    const office = (await administrator()).client
    const expendable = (await createAccount(office, population.customer)).id

    check(
      await attemptAll(actors, (actor) => [
        ...aimsOf(actor).flatMap(([target, person]) => {
          const userId = target === 'other' && actor.name === 'administrator' ? expendable : person
          return [
            ...Object.entries(accessActions).map(([action, more]) =>
              invoke(`manage-users:${action}`, target, { userId, ...more }),
            ),
            invoke('manage-transactions:create', target, {
              transactionData: { ...deposit, user_id: person, date: new Date().toISOString() },
            }),
          ]
        }),
        invoke('manage-users:create', 'none', {
          ...newCredentials(),
          role: 'user',
          user_metadata: { full_name: population.customer.fullName },
        }),
      ]),
    )
    // The actors call one after another, because the server generates only a few account statements at once for callers
    // from the same network.
    const month = new Date().toISOString().slice(0, 7)
    for (const actor of actors)
      check(await attemptAll([actor], () => [invoke('statement', 'none', { month })]))
    // The deletion comes last, because the other attempts need the accounts.
    check(await attemptAll(actors, ({ password }) => [invoke('delete-account', 'none', { password })]))
    const invoked = tried.filter(({ attempt: { verb } }) => verb === 'invoke')
    const names = new Set(invoked.map(({ attempt: { object } }) => object.split(':')[0]))
    // The API does not list its functions, but each function has a folder in supabase/functions.
    const entrances = await readdir('supabase/functions', { withFileTypes: true })
    expect(names).toEqual(
      new Set(
        entrances.filter((each) => each.isDirectory() && !each.name.startsWith('_')).map(({ name }) => name),
      ),
    )
  },
)

test('the tests have tried every permission that exists only at the API', () => {
  const onTheWire = / may (join|receive|embed|invoke) /

  expect(
    unusedPermissions(tried.map(({ attempt }) => attempt)).filter(
      (sentence) =>
        onTheWire.test(sentence) &&
        (hasOwner || !/ receive (beneficiaries|requests|notifications) /.test(sentence)),
    ),
  ).toEqual([])
})

function check(results: readonly Result[]): void {
  tried.push(...results)
  expect(unexpected(results)).toEqual([])
}

/** Actors whose session is valid. */
const people: ReadonlySet<string> = new Set([
  'customer',
  'other customer',
  'forger',
  'administrator',
  'returned administrator',
])

function aimsOf({ own, other }: WireActor): readonly (readonly ['own' | 'other', string])[] {
  return own === null
    ? [['other', other]]
    : [
        ['other', other],
        ['own', own],
      ]
}

const expense = { type: 'expense', description: 'Café', amount: 2, category: 'Comida' }
const deposit = { type: 'deposit', description: 'Nómina', amount: 1, category: 'Deposito' }
const importedRows = [{ date: '2026-01-01', description: 'Libro', amount: 1, category: null }]

/** An automatic expense that is due today in Bogotá and is therefore recorded at once. */
const recurring = {
  description: 'Arriendo',
  amount: 5,
  rhythm: 'weekly',
  next_due_on: new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 10),
  is_automatic: true,
}

/** A row for each published table to which people can write. Recording the expense also changes `budgets`. */
const publishedRows = [
  ['transactions', expense],
  ['categories', { name: 'Jardín' }],
  ['category_rules', { contains: 'Vivero', category: 'Jardín' }],
] as const

/**
 * SQL with which the database owner writes rows of optional features, because the bank of this test has not enabled
 * these features.
 */
const rowsOfOwner = (id: string) => `
  insert into public.beneficiaries (user_id, id, name, address)
  values ('${id}', gen_random_uuid(), 'Luis', 'luis@banco.example');
  insert into public.requests (id, status, asked_by, payer, payee, amount, expires_at, risk, body_hash)
  values (gen_random_uuid(), 'waiting', '${id}', '${id}', gen_random_uuid(), 1, now(), 0, sha256('x'));
  insert into public.notifications (user_id, kind, events, happened_at) values ('${id}', 'deposit', 1, now())`

const receivedTables = [
  'transactions',
  'budgets',
  'imports',
  'categories',
  'category_rules',
  ...(hasOwner ? ['beneficiaries', 'requests', 'notifications'] : []),
]

/** Tables outside the schema `public`, each with its own schema. */
const hiddenTables = [
  ['ledger', 'journal'],
  ['ledger', 'audit'],
  ['ledger', 'deleted_transactions'],
  ['auth', 'users'],
  ['auth', 'sessions'],
  ['auth', 'statement_keys'],
  ['auth', 'signing_keys'],
] as const

/** Pairs of tables that are linked by a foreign key, in both directions. */
const embeds = [
  ['profiles', 'user_safe'],
  ['user_safe', 'profiles'],
  ['budgets', 'transaction_edits'],
  ['transaction_edits', 'budgets'],
  ['batches', 'batch_lines'],
  ['batch_lines', 'batches'],
  ['batch_lines', 'profiles'],
  ['profiles', 'batch_lines'],
  ['recurring_expenses', 'recurring_occurrences'],
  ['recurring_occurrences', 'recurring_expenses'],
] as const

/** Actions on another person. The deletion is last. */
const accessActions = {
  resend: {},
  change_email: { email: newEmail() },
  delete: {},
} satisfies Record<Exclude<ManageUsers['action'], 'create'>, object>

type Target = 'own' | 'other' | 'none'

function read(object: string, path: string): Request {
  return { verb: 'select', object, path: `/rest/v1/${path}` }
}

function reads(object: string, target: Target, filter: string): Request[] {
  const of = { ...read(object, `${object}?${filter}`), target }
  return [of, { ...of, verb: 'count', method: 'HEAD', headers: { prefer: 'count=exact' } }]
}

const answered = { prefer: 'return=representation' }

function insert(object: string, target: Target, body: object): Request {
  const path = `/rest/v1/${object}`
  return { verb: 'insert', object, target, method: 'POST', path, headers: answered, body }
}

function change(object: string, target: Target, filter: string, body: object): Request {
  const path = `/rest/v1/${object}?${filter}`
  return { verb: 'update', object, target, method: 'PATCH', path, headers: answered, body }
}

function remove(object: string, target: Target, filter: string): Request {
  const path = `/rest/v1/${object}?${filter}`
  return { verb: 'delete', object, target, method: 'DELETE', path, headers: answered }
}

function call(object: string, target: Target, body: object): Request {
  return { verb: 'call', object, target, method: 'POST', path: `/rest/v1/rpc/${object}`, body }
}

function invoke(object: string, target: Target, body: object): Request {
  const [name, action] = object.split(':')
  const path = `/functions/v1/${name}`
  return { verb: 'invoke', object, target, method: 'POST', path, body: { action, ...body } }
}
