// The audit. That it only grows is authorization-effects.ts.
import { describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
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
/** The author's part of every entry of an administrator's request. */
const inRequest = () => ({
  origin: 'request',
  actor: bank.administrator.id,
  session_id: bank.administrator.sessionId,
})

describe('an administrator’s action is in the audit with the commit of its effect', () => {
  test('a transaction that they register', async () => {
    const customer = await bank.addCustomer()

    const id = await record(bank.administrator, deposit(customer, '100.5'))

    const after = { id, type: 'deposit', amount: '100.50', date: expect.any(String) as string }
    expect(await entriesAbout(customer)).toEqual([
      { ...inRequest(), action: 'register_transaction', before: null, after },
    ])
  })

  test('a role that they change, up and down', async () => {
    const customer = await bank.addCustomer()

    await run(bank.administrator, setRole(customer, 'admin'))
    await run(bank.administrator, setRole(customer, 'user'))

    expect(await entriesAbout(customer)).toMatchObject([
      { ...inRequest(), action: 'change_role', before: { role: 'user' }, after: { role: 'admin' } },
      { ...inRequest(), action: 'change_role', before: { role: 'admin' }, after: { role: 'user' } },
    ])
  })

  test('a user whom they create or delete', async () => {
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

  test('records acts by SQL such as a ban or a new administrator', async () => {
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

  test('an effect that is refused leaves no entry that says it was done', async () => {
    const customer = await bank.addCustomer()

    await expect(run(bank.administrator, deposit(customer, '0.005'))).rejects.toMatchObject({
      sqlState: '23514',
    })
    await expect(run(customer, setRole(customer, 'admin'))).rejects.toMatchObject({ sqlState: '42501' })

    expect(await entriesAbout(customer)).toEqual([])
  })

  test('omits customers’ acts on their own data', async () => {
    const before = await countEntries()
    const customer = await bank.addCustomer()
    await run(customer, expense(customer, '1'))
    expect(await countEntries()).toBe(before)
    const id = await record(bank.administrator, deposit(customer, '5'))
    await run(customer, remove(id))
    await run(customer, sql`select public.restore_transaction(${id})`)

    expect(await entriesAbout(customer)).toMatchObject([{ action: 'register_transaction' }])
  })

  test('a customer can record an expense while another transaction locks the chain', async () => {
    const customer = await bank.addCustomer()
    await bank.owner.query(sql`select pg_advisory_lock(hashtext('finanzas.audit'))`)

    try {
      await run(customer, expense(customer, '1'))
    } finally {
      await bank.owner.query(sql`select pg_advisory_unlock(hashtext('finanzas.audit'))`)
    }

    expect(await run(customer, sql`select amount::text from public.transactions`)).toEqual([{ amount: '1' }])
  })
})

describe('the author of an act outside of requests', () => {
  test('an operator’s command acts as the operator, in triggers and in its own entries', async () => {
    const customer = await bank.addCustomer()

    await bank.asService(
      sql`select private.act_as('operator')`,
      sql`update auth.users set banned_until = '2999-01-01Z' where id = ${customer.id}`,
      sql`select private.record_audit('reset_access', ${customer.id}, null, '{"sessions": 0}')`,
    )

    expect(await entriesAbout(customer)).toMatchObject([
      { origin: 'operator', actor: null, action: 'reset_access', after: { sessions: 0 } },
      { origin: 'operator', actor: null, action: 'ban_user' },
    ])
  })

  test('a service records in a person’s name', async () => {
    const customer = await bank.addCustomer()

    await bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
      sql`select public.record_audit('create_user', ${bank.administrator.id}, ${customer.id}, null, null)`,
    ])

    expect(await entriesAbout(customer)).toMatchObject([{ origin: 'service', actor: bank.administrator.id }])
  })

  test('a signed-in person cannot act in another person’s name', async () => {
    const customer = await bank.addCustomer()

    await bank.database.transaction(bank.administrator.as('write'), [
      sql`select set_config('audit.actor', ${customer.id}, true), set_config('audit.origin', 'operator', true)`,
      deposit(customer, '1'),
    ])

    expect(await entriesAbout(customer)).toMatchObject([{ origin: 'request', actor: bank.administrator.id }])
  })
})

describe('the chain', () => {
  test('holds after many administrators acted at once', async () => {
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

  test('two administrators who change each other’s people in opposite order both succeed', async () => {
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

  test('holds no name and shows administrators the names of existing people', async () => {
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
})
