// The audit log. authorization-effects.ts tests that entries cannot be changed or deleted.
import { expect, test } from 'vitest'
import { sql, type SqlStatement } from '#server/database/database.ts'
import { asCaller, auditedAs } from '#server/database/scope.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, deposit, expense, record, remove, run, setRole } from './people.ts'

const bank = useBank()

const entriesAbout = (person: Person) =>
  bank.owner.query(sql`
    select origin, actor, session_id, action, before, after
    from ledger.audit where target = ${person.id} order by id`)
const countEntries = async () =>
  (await bank.owner.query(sql<{ count: number }>`select count(*) from ledger.audit`))[0]?.count
/** Returns the fields of an audit entry for a request by the administrator. */
const inRequest = () => ({
  origin: 'request',
  actor: bank.administrator.id,
  session_id: bank.administrator.sessionId,
})

test('the audit log records a transaction that an administrator registers', async () => {
  const customer = await bank.addCustomer()

  const id = await record(bank.administrator, deposit(customer, '100.5'))

  const after = { id, type: 'deposit', amount: '100.50', date: expect.any(String) as string }
  expect(await entriesAbout(customer)).toEqual([
    { ...inRequest(), action: 'register_transaction', before: null, after },
  ])
})

test('the audit log records a promotion and a demotion by an administrator', async () => {
  const customer = await bank.addCustomer()

  await run(bank.administrator, setRole(customer, 'admin'))
  await run(bank.administrator, setRole(customer, 'user'))

  expect(await entriesAbout(customer)).toMatchObject([
    { ...inRequest(), action: 'change_role', before: { role: 'user' }, after: { role: 'admin' } },
    { ...inRequest(), action: 'change_role', before: { role: 'admin' }, after: { role: 'user' } },
  ])
})

test('the audit log records that an administrator created and deleted a user', async () => {
  const person = { ...(await bank.addCustomer()), id: crypto.randomUUID() }
  await bank.database.transaction(bank.administrator.as('write'), [
    sql`select set_config('role', 'supabase_auth_admin', true)`,
    sql`insert into auth.users (id, email) values (${person.id}, ${`${person.id}@banco.example`})`,
  ])
  await run(bank.administrator, sql`select private.delete_user(${person.id})`)

  expect(await entriesAbout(person)).toMatchObject([
    { ...inRequest(), action: 'create_user', before: null, after: { role: 'user' } },
    { ...inRequest(), action: 'delete_user', before: { role: 'user' }, after: null },
  ])
})

test('the audit log also records a ban or a promotion that an operator makes directly with SQL', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(
    sql`update auth.users set banned_until = '2999-01-01Z', raw_app_meta_data = '{"role": "admin"}' where id = ${customer.id}`,
  )
  await bank.owner.query(sql`update auth.users set banned_until = null where id = ${customer.id}`)
  const other = await addPerson(bank.database, 'admin')

  const bySystem = { origin: 'system', actor: null, session_id: null }
  expect(await entriesAbout(customer)).toMatchObject([
    { ...bySystem, action: 'change_role', after: { role: 'admin' } },
    { ...bySystem, action: 'ban_user', after: { banned_until: '2999-01-01T00:00:00+00:00' } },
    { ...bySystem, action: 'unban_user', after: { banned_until: null } },
  ])
  expect(await entriesAbout(other)).toMatchObject([
    { ...bySystem, action: 'create_user', after: { role: 'admin' } },
  ])
})

test('the audit log does not record refused actions', async () => {
  const customer = await bank.addCustomer()

  await expect(run(bank.administrator, deposit(customer, '0.005'))).rejects.toMatchObject({
    sqlState: '23514',
  })
  await expect(run(customer, setRole(customer, 'admin'))).rejects.toMatchObject({ sqlState: '42501' })

  expect(await entriesAbout(customer)).toEqual([])
})

test('the audit log does not record changes that customers make to their own data', async () => {
  const before = await countEntries()
  const customer = await bank.addCustomer()
  await run(customer, expense(customer, '1'))
  expect(await countEntries()).toBe(before)
  const id = await record(bank.administrator, deposit(customer, '5'))
  await run(customer, remove(id))
  await run(customer, sql`select public.restore_transaction(${id})`)

  expect(await entriesAbout(customer)).toMatchObject([{ action: 'register_transaction' }])
})

test('a customer’s expense does not wait for the lock of the audit chain', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`select pg_advisory_lock(hashtext('finanzas.audit'))`)

  try {
    await run(customer, expense(customer, '1'))
  } finally {
    await bank.owner.query(sql`select pg_advisory_unlock(hashtext('finanzas.audit'))`)
  }

  expect(await run(customer, sql`select amount::text from public.transactions`)).toEqual([{ amount: '1' }])
})

test('the operator is the author of every change that a command makes, even if a trigger writes the entry', async () => {
  const customer = await bank.addCustomer()

  await bank.asService(
    sql`select private.act_as('operator')`,
    sql`update auth.users set banned_until = '2999-01-01Z' where id = ${customer.id}`,
    sql`select private.record_audit('remove_factor', ${customer.id}, null, '{"factors": 0}')`,
  )

  expect(await entriesAbout(customer)).toMatchObject([
    { origin: 'operator', actor: null, action: 'remove_factor', after: { factors: 0 } },
    { origin: 'operator', actor: null, action: 'ban_user' },
  ])
})

test('the author of an entry that a service adds is the user whom the service names', async () => {
  const customer = await bank.addCustomer()

  await bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql`select public.record_audit('create_user', ${bank.administrator.id}, ${customer.id}, null, null)`,
  ])

  expect(await entriesAbout(customer)).toMatchObject([{ origin: 'service', actor: bank.administrator.id }])
})

test('an entry keeps the id of the request after a service names its author', async () => {
  const customer = await bank.addCustomer()

  await bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    auditedAs('request-7'),
    sql`select public.record_audit('create_user', ${bank.administrator.id}, ${customer.id}, null, null)`,
  ])

  const ofRequest = sql`select origin, actor, target from ledger.audit where request_id = 'request-7'`
  expect(await bank.owner.query(ofRequest)).toEqual([
    { origin: 'service', actor: bank.administrator.id, target: customer.id },
  ])
})

test('a signed-in person cannot forge the author of an audit entry', async () => {
  const customer = await bank.addCustomer()

  await bank.database.transaction(bank.administrator.as('write'), [
    sql`select set_config('audit.context', ${JSON.stringify({ actor: customer.id, origin: 'operator' })}, true)`,
    deposit(customer, '1'),
  ])

  expect(await entriesAbout(customer)).toMatchObject([{ origin: 'request', actor: bank.administrator.id }])
})

test('the audit chain verifies after simultaneous writes by several administrators', async () => {
  const [one, two] = [await bank.addCustomer(), await bank.addCustomer()]
  const others = await Promise.all(Array.from({ length: 3 }, () => addPerson(bank.database, 'admin')))
  await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      run(others[index % 3] ?? bank.administrator, deposit(index % 2 === 0 ? one : two, '1')),
    ),
  )

  expect((await verifyLedger(bank.database)).broken).toBeNull()
  expect([...(await entriesAbout(one)), ...(await entriesAbout(two))]).toHaveLength(30)
})

test('the audit chain does not deadlock when two administrators change the same customers in opposite order', async () => {
  const other = await addPerson(bank.database, 'admin')
  for (let round = 0; round < 10; round += 1) {
    const [one, two] = [await bank.addCustomer(), await bank.addCustomer()]

    await Promise.all([
      bank.administrator.database.transaction(bank.administrator.as('write'), [
        deposit(one, '1'),
        deposit(two, '1'),
      ]),
      other.database.transaction(other.as('write'), [setRole(one, 'admin')]),
      other.database.transaction(other.as('write'), [setRole(two, 'admin')]),
    ])

    expect([...(await entriesAbout(one)), ...(await entriesAbout(two))]).toHaveLength(4)
  }
})

test('the audit chain does not store names, but its view shows administrators the names of existing users', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '1'))
  await run(bank.administrator, sql`select private.delete_user(${customer.id})`)

  const texts = await bank.owner.query(
    sql<{ text: string }>`select to_jsonb(a)::text as text from ledger.audit a`,
  )
  for (const { text } of texts) expect(text).not.toMatch(/@|Ana Pérez|Marta Ríos|Nómina/)
  const newest = sql`
    select action, actor_name, target_name from public.audit_entries order by id desc limit 2`
  expect(await run(bank.administrator, newest)).toEqual([
    { action: 'delete_user', actor_name: 'Marta Ríos', target_name: null },
    { action: 'register_transaction', actor_name: 'Marta Ríos', target_name: null },
  ])
})

type Filter = {
  person?: string
  actor?: string
  action?: string
  since?: string
  until?: string
  before?: number
  kind?: 'changes' | 'reads'
}
const call = (filter: Filter) => sql<{ id: number; action: string }>`
  select id, action from public.audit_of(
    ${filter.person ?? null}, ${filter.actor ?? null}, ${filter.action ?? null}, ${filter.since ?? '-infinity'},
    ${filter.until ?? 'infinity'}, ${filter.before ?? 1e15}, 50, ${filter.kind ?? null})`
const read = (filter: Filter) => run(bank.administrator, call(filter))

test('the audit register shows only the entries that match every given filter', async () => {
  const [customer, colleague] = [await bank.addCustomer(), await addPerson(bank.database, 'admin')]
  await record(bank.administrator, deposit(customer, '1'))
  await record(colleague, deposit(customer, '2'))
  await run(colleague, setRole(customer, 'admin'))
  const actions = async (filter: Filter) => (await read(filter)).map(({ action }) => action)

  expect(await actions({ person: customer.id })).toEqual([
    'change_role',
    'register_transaction',
    'register_transaction',
  ])
  expect(await actions({ person: customer.id, actor: colleague.id })).toEqual([
    'change_role',
    'register_transaction',
  ])
  expect(await actions({ actor: colleague.id, action: 'change_role' })).toEqual(['change_role'])
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  expect(await actions({ person: customer.id, since: tomorrow })).toEqual([])
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  expect(await actions({ person: customer.id, until: yesterday })).toEqual([])
  expect(await actions({ person: customer.id, since: yesterday, until: tomorrow })).toHaveLength(3)
  const [newest] = await read({ person: customer.id })
  expect(await actions({ person: customer.id, before: newest?.id ?? 0 })).toHaveLength(2)
})

test('the audit register can leave out the entries that record a reading, or show only these', async () => {
  const colleague = await addPerson(bank.database, 'admin')
  const customer = await bank.addCustomer()
  await run(colleague, sql`select public.list_customers()`)
  await run(colleague, sql`select public.open_customer(${customer.id})`)
  await record(colleague, deposit(customer, '1'))
  const actions = async (filter: Filter) =>
    (await read({ actor: colleague.id, ...filter })).map(({ action }) => action)

  expect(await actions({ kind: 'changes' })).toEqual(['register_transaction'])
  expect(await actions({ kind: 'reads' })).toEqual(['read_customer', 'list_customers'])
  expect(await actions({})).toHaveLength(3)
})

test('the audit register reads only a few entries of a large audit log, whichever filter is used', async () => {
  const [busy, rare] = [await addPerson(bank.database, 'admin'), await addPerson(bank.database, 'admin')]
  const customer = await bank.addCustomer()
  await bank.owner.query(sql`
    insert into ledger.audit (id, recorded_at, origin, actor, action, target, previous_hash, hash)
    select
      (select max(id) from ledger.audit) + n, now() - interval '1 hour' + n * interval '1 second', 'request',
      case when n = 100 then ${rare.id}::uuid else ${busy.id}::uuid end,
      case when n between 100 and 160 then 'unban_user' else 'read_customer' end,
      case when n % 100 = 0 then ${customer.id}::uuid else gen_random_uuid() end,
      sha256(''), sha256('')
    from generate_series(1, 30000) n`)
  const since = new Date(Date.now() + 3_600_000).toISOString()
  const blocksMax = 400
  // The first call on a connection also reads the catalogue.
  await run(bank.administrator, call({}))
  const filters: Filter[] = [
    {},
    { person: customer.id },
    { actor: busy.id },
    { actor: rare.id },
    { action: 'unban_user' },
    { actor: busy.id, action: 'unban_user' },
    { person: customer.id, action: 'unban_user' },
    { kind: 'changes' },
    { kind: 'reads' },
    { person: customer.id, kind: 'changes' },
    { actor: busy.id, kind: 'changes' },
    { actor: rare.id, kind: 'changes' },
    { since },
    { until: since },
    { actor: busy.id, since, until: new Date(Date.now() + 7_200_000).toISOString() },
  ]
  for (const filter of filters) {
    const { text, values } = call(filter)
    const explained: SqlStatement<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }> = {
      text: `explain (analyze, buffers, format json) ${text}`,
      values,
    }
    const [row] = await run(bank.administrator, explained)
    const plan = row?.['QUERY PLAN'][0]?.Plan ?? {}
    const blocks = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    expect({ filter, isCheap: blocks < blocksMax, ...(blocks < blocksMax ? {} : { blocks }) }).toEqual({
      filter,
      isCheap: true,
    })
  }
})
