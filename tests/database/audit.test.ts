// The audit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { asCaller, asService } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, deposit, expense, run } from './people.ts'

let db: TestDatabase
let administrator: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
})
afterAll(() => db.close())

type Entry = {
  id: number
  origin: string
  actor: string | null
  session_id: string | null
  action: string
  before: unknown
  after: Record<string, unknown> | null
}
const entriesAbout = (person: Person) =>
  db.owner.query(sql<Entry>`
    select id, origin, actor, session_id, action, before, after
    from ledger.audit where target = ${person.id} order by id`)
const countEntries = async () =>
  (await db.owner.query(sql<{ count: number }>`select count(*) from ledger.audit`))[0]?.count
const setRole = (person: Person, role: string) =>
  sql`update public.profiles set role = ${role} where id = ${person.id}`
const remove = (id: string) => sql`delete from public.transactions where id = ${id}`
/** What every entry of an administrator's request says about them. */
const inRequest = () => ({
  origin: 'request',
  actor: administrator.id,
  session_id: administrator.sessionId,
})

describe('an administrator’s action is in the audit with the commit of its effect', () => {
  test('a transaction that they register', async () => {
    const customer = await addPerson(db.database, 'user')

    const [registered] = await run(administrator, deposit(customer, '100.5'))

    expect(await entriesAbout(customer)).toEqual([
      {
        ...inRequest(),
        id: expect.any(Number),
        action: 'register_transaction',
        before: null,
        after: {
          id: registered?.id,
          type: 'deposit',
          amount: '100.50',
          date: expect.any(String),
        },
      },
    ])
  })

  test('a role that they change, up and down', async () => {
    const customer = await addPerson(db.database, 'user')

    await run(administrator, setRole(customer, 'admin'))
    await run(administrator, setRole(customer, 'user'))

    expect(await entriesAbout(customer)).toMatchObject([
      { ...inRequest(), action: 'change_role', before: { role: 'user' }, after: { role: 'admin' } },
      { ...inRequest(), action: 'change_role', before: { role: 'admin' }, after: { role: 'user' } },
    ])
  })

  test('a user whom they create or delete', async () => {
    const person = { ...(await addPerson(db.database, 'user')), id: crypto.randomUUID() }
    await db.database.transaction(administrator.as('write'), [
      sql`select set_config('role', 'supabase_auth_admin', true)`,
      sql`insert into auth.users (id, email) values (${person.id}, ${`${person.id}@banco.example`})`,
    ])
    await run(administrator, sql`select public.delete_user(${person.id})`)

    expect(await entriesAbout(person)).toMatchObject([
      { ...inRequest(), action: 'create_user', before: null, after: { role: 'user' } },
      { ...inRequest(), action: 'delete_user', before: { role: 'user' }, after: null },
    ])
  })

  test('whatever was done by SQL: a ban, its end, an administrator out of nowhere', async () => {
    const customer = await addPerson(db.database, 'user')
    await db.owner.query(
      sql`update auth.users set banned_until = '2999-01-01Z', raw_app_meta_data = '{"role": "admin"}' where id = ${customer.id}`,
    )
    await db.owner.query(sql`update auth.users set banned_until = null where id = ${customer.id}`)
    const other = await addPerson(db.database, 'admin')

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

  test('an effect that is refused leaves no entry that says it was done', async () => {
    const customer = await addPerson(db.database, 'user')

    await expect(run(administrator, deposit(customer, '0.005'))).rejects.toMatchObject({ sqlState: '23514' })
    await expect(run(customer, setRole(customer, 'admin'))).rejects.toMatchObject({ sqlState: '42501' })

    expect(await entriesAbout(customer)).toEqual([])
  })

  test('what customers do with what is theirs is not in it: signing up, expenses, undo of a deposit', async () => {
    const before = await countEntries()
    const customer = await addPerson(db.database, 'user')
    await run(customer, expense(customer, '1'))
    expect(await countEntries()).toBe(before)
    const [registered] = await run(administrator, deposit(customer, '5'))
    await run(customer, remove(registered?.id ?? ''))
    await run(customer, sql`select public.restore_transaction(${registered?.id ?? ''})`)

    expect((await entriesAbout(customer)).map(({ action }) => action)).toEqual(['register_transaction'])
  })

  test('a customer records an expense while somebody holds the chain', async () => {
    const customer = await addPerson(db.database, 'user')
    await db.owner.query(sql`select pg_advisory_lock(hashtext('finanzas.audit'))`)

    try {
      await run(customer, expense(customer, '1'))
    } finally {
      await db.owner.query(sql`select pg_advisory_unlock(hashtext('finanzas.audit'))`)
    }

    expect(await run(customer, sql`select amount::text from public.transactions`)).toEqual([{ amount: '1' }])
  })
})

describe('who acts where no request says it', () => {
  test('an operator’s command is an operator’s, in what triggers see and in what it records itself', async () => {
    const customer = await addPerson(db.database, 'user')

    await db.database.transaction(asService('supabase_auth_admin', 'write'), [
      sql`select private.act_as('operator')`,
      sql`update auth.users set banned_until = '2999-01-01Z' where id = ${customer.id}`,
      sql`select private.record_audit('reset_access', ${customer.id}, null, '{"sessions": 0}')`,
    ])

    expect(await entriesAbout(customer)).toMatchObject([
      { origin: 'operator', actor: null, action: 'reset_access', after: { sessions: 0 } },
      { origin: 'operator', actor: null, action: 'ban_user' },
    ])
  })

  test('a service records in a person’s name, and neither customers nor administrators can', async () => {
    const customer = await addPerson(db.database, 'user')
    const record = sql`select public.record_audit('create_user', ${administrator.id}, ${customer.id}, null, null)`

    await db.database.transaction(asCaller({ role: 'service_role' }, 'write'), [record])

    expect(await entriesAbout(customer)).toMatchObject([{ origin: 'service', actor: administrator.id }])
    for (const person of [customer, administrator])
      await expect(run(person, record)).rejects.toMatchObject({ sqlState: '42501' })
  })

  test('nobody who is signed in acts as somebody else', async () => {
    const customer = await addPerson(db.database, 'user')

    await db.database.transaction(administrator.as('write'), [
      sql`select set_config('audit.actor', ${customer.id}, true), set_config('audit.origin', 'operator', true)`,
      deposit(customer, '1'),
    ])

    expect(await entriesAbout(customer)).toMatchObject([{ origin: 'request', actor: administrator.id }])
  })
})

describe('the chain', () => {
  test.each<[string, SqlStatement]>([
    ['update', sql`update ledger.audit set action = 'nothing'`],
    ['delete', sql`delete from ledger.audit`],
    ['truncate', sql`truncate ledger.audit`],
  ])('refuses %s, to its owner too', async (_verb, statement) => {
    await expect(db.owner.query(statement)).rejects.toMatchObject({
      sqlState: '42501',
      message: 'The audit is append-only.',
    })
  })

  test('holds after many administrators acted at once: no gap, and each entry hashes the one before', async () => {
    const [one, two] = [await addPerson(db.database, 'user'), await addPerson(db.database, 'user')]
    const others = await Promise.all(Array.from({ length: 3 }, () => addPerson(db.database, 'admin')))
    await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        run(others[index % 3] ?? administrator, deposit(index % 2 === 0 ? one : two, '1')),
      ),
    )

    expect(
      await db.owner.query(sql`
        select count(*) = max(a.id) as "hasNoGap",
               bool_and(a.hash = ledger.audit_hash(a)) as "isHashed",
               bool_and(a.previous_hash = coalesce(before.hash, decode(repeat('00', 32), 'hex'))) as "isChained"
        from ledger.audit a left join ledger.audit before on before.id = a.id - 1`),
    ).toEqual([{ hasNoGap: true, isHashed: true, isChained: true }])
    expect([...(await entriesAbout(one)), ...(await entriesAbout(two))]).toHaveLength(30)
  })

  test('two administrators who change each other’s people in opposite order both succeed', async () => {
    const other = await addPerson(db.database, 'admin')
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await addPerson(db.database, 'user'), await addPerson(db.database, 'user')]

      await Promise.all([
        administrator.database.transaction(administrator.as('write'), [deposit(one, '1'), deposit(two, '1')]),
        other.database.transaction(other.as('write'), [setRole(one, 'admin')]),
        other.database.transaction(other.as('write'), [setRole(two, 'admin')]),
      ])

      expect([...(await entriesAbout(one)), ...(await entriesAbout(two))]).toHaveLength(4)
    }
  })

  test('holds nothing that names a person, before and after they are gone', async () => {
    const customer = await addPerson(db.database, 'user')
    await run(administrator, deposit(customer, '1'))
    await run(administrator, sql`select public.delete_user(${customer.id})`)

    const texts = await db.owner.query(
      sql<{ text: string }>`select to_jsonb(a)::text as text from ledger.audit a`,
    )

    expect(texts.length).toBeGreaterThan(0)
    for (const { text } of texts) expect(text).not.toMatch(/@|Ana Pérez|Nómina/)
  })
})

describe('reading', () => {
  const newest = sql<{ id: number; action: string; actor_name: string; target_name: string | null }>`
    select id, action, actor_name, target_name from public.audit_entries order by id desc limit 2`

  test('an administrator reads it with the names of those who are still there', async () => {
    const customer = await addPerson(db.database, 'user')
    await run(administrator, deposit(customer, '1'))
    await run(administrator, sql`select public.delete_user(${customer.id})`)

    expect(await run(administrator, newest)).toMatchObject([
      { action: 'delete_user', actor_name: 'Ana Pérez', target_name: null },
      { action: 'register_transaction', actor_name: 'Ana Pérez', target_name: null },
    ])
  })
})
