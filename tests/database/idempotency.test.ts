// A call with an idempotency key takes effect once.
import { expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { runWithoutTriggers, useBank } from './database.ts'
import { type Person, addPerson, balanceOf, deposit, record, run } from './people.ts'

const bank = useBank()

const [oneBody, otherBody] = ['11'.repeat(32), '22'.repeat(32)]
const newKey = () => crypto.randomUUID()
const depositWith = (customer: Person, key: string, body = oneBody, amount = '10') => sql<{ id: string }>`
  select private.register_transaction(
    ${customer.id}, 'deposit', ${amount}, 'Nómina', now(), 'Deposito', gen_random_uuid(), ${key}, ${body}) ->> 'id' as id`
const register = (...deposit: Parameters<typeof depositWith>) =>
  run(bank.administrator, depositWith(...deposit))
const keptKeys = (key: string) => bank.owner.query(sql`select id from private.orders where call_key = ${key}`)

test('a reused key with the same body returns the first answer without posting anything', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]
  const [first] = await register(customer, key)

  expect(await register(customer, key)).toEqual([first])

  expect(await balanceOf(customer)).toBe('10')
})

test('a reused key with a different body is refused', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]
  await register(customer, key)

  await expect(register(customer, key, otherBody, '7')).rejects.toMatchObject({ sqlState: 'FZ422' })

  expect(await balanceOf(customer)).toBe('10')
})

test('another administrator can use the same key, and a key can be used for several functions', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]
  const other = await addPerson(bank.database, 'admin')

  await register(customer, key)
  await run(other, depositWith(customer, key, otherBody))
  await run(bank.administrator, sql`select private.delete_user(${customer.id}, ${key}, ${otherBody})`)

  // A key of another administrator would have answered instead of posting.

  expect(await keptKeys(key)).toHaveLength(3)
})

test('a key takes effect once even if it is used 100 times simultaneously', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]

  const answers = await Promise.all(Array.from({ length: 100 }, () => register(customer, key)))

  expect(new Set(answers.map(([answer]) => answer?.id)).size).toBe(1)
  expect(await balanceOf(customer)).toBe('10')
})

test('a key can be reused after 48 hours', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]
  await register(customer, key)
  await bank.owner.query(
    sql`update private.orders set asked_at = now() - interval '48 hours' where call_key = ${key}`,
  )

  await register(customer, key, otherBody)

  expect(await balanceOf(customer)).toBe('20')
  expect(await keptKeys(key)).toHaveLength(1)
})

test('a demoted administrator cannot read the stored answer of a key', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]
  const other = await addPerson(bank.database, 'admin')
  await run(other, depositWith(customer, key))
  await bank.owner.query(sql`update auth.users set raw_app_meta_data = '{}' where id = ${other.id}`)
  await bank.owner.query(
    sql`insert into auth.sessions (id, user_id) values (${other.sessionId}, ${other.id})`,
  )

  await expect(run(other, depositWith(customer, key))).rejects.toMatchObject({ sqlState: '42501' })
})

test.for(['', 'a b', 'ñ', 'a'.repeat(256)])('a call with the key %j is refused', async (key) => {
  await expect(register(await bank.addCustomer(), key)).rejects.toMatchObject({
    sqlState: '23514',
    constraint: 'orders_key_is_visible',
  })
})

test.for([null, 'no', 'ab'])('a key with %j instead of a hash of the body is refused', async (hash) => {
  const [customer, key] = [await bank.addCustomer(), newKey()]

  await expect(
    run(
      bank.administrator,
      sql`
        select private.register_transaction(
          ${customer.id}, 'deposit', 10, 'Nómina', now(), 'Deposito', gen_random_uuid(), ${key}, ${hash})`,
    ),
  ).rejects.toMatchObject({
    sqlState: '22023',
    message: 'Una clave de idempotencia va con el SHA-256 del cuerpo: 64 dígitos hexadecimales.',
  })
})

const actions = async ({ id }: Person) =>
  (
    await bank.owner.query(
      sql<{ action: string }>`select action from ledger.audit where target = ${id} order by id`,
    )
  ).map(({ action }) => action)

const acts: Readonly<Record<string, [act: (person: Person, key: string) => SqlStatement, audited: string]>> =
  {
    block_user: [({ id }, key) => sql`select public.block_user(${id}, 'other', 24, ${key})`, 'ban_user'],
    unblock_user: [({ id }, key) => sql`select public.unblock_user(${id}, ${key})`, 'unban_user'],
    end_sessions: [({ id }, key) => sql`select public.end_sessions(${id}, ${key})`, 'revoke_sessions'],
    reset_factor: [({ id }, key) => sql`select public.reset_factor(${id}, ${key})`, 'reset_factor'],
    cancel_email_change: [
      ({ id }, key) => sql`select public.cancel_email_change(${id}, ${key})`,
      'cancel_email_change',
    ],
  }
test.for(Object.entries(acts))(
  'a call of %s with a key takes effect once if it is sent twice',
  async ([, [act, audited]]) => {
    const [customer, other, key] = [await bank.addCustomer(), await bank.addCustomer(), newKey()]
    if (audited === 'unban_user')
      await bank.asService(
        sql`update auth.users set banned_until = now() + interval '1 day' where id = ${customer.id}`,
      )
    if (audited === 'cancel_email_change')
      await bank.asService(sql`
      select auth.begin_address_change(${customer.id}, 'otra@banco.example', ${key}, ${`${key} cancel`}, ${key})`)

    await run(bank.administrator, act(customer, key))
    await run(bank.administrator, act(customer, key))

    expect((await actions(customer)).filter((action) => action === audited)).toHaveLength(1)
    await expect(run(bank.administrator, act(other, key))).rejects.toMatchObject({ sqlState: 'FZ422' })
    expect(await actions(other)).toEqual([])
  },
)

test('a repeated call returns the id of the first correction', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const corrected = () =>
    record(
      bank.administrator,
      sql`select public.correct_transaction(${customer.id}, ${mistake}, 'Monto equivocado', ${key}, 7) as id`,
    )

  const first = await corrected()

  expect(await corrected()).toBe(first)
  expect(await balanceOf(customer)).toBe('7')
  await expect(
    run(
      bank.administrator,
      sql`select public.correct_transaction(${customer.id}, ${mistake}, 'Monto equivocado', ${key}, 8)`,
    ),
  ).rejects.toMatchObject({ sqlState: 'FZ422' })
})

test('a refused table API call does not consume its key', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]
  const block = (reason: string) =>
    run(bank.administrator, sql`select public.block_user(${customer.id}, ${reason}, 24, ${key})`)

  await expect(block('porque sí')).rejects.toMatchObject({ sqlState: 'PT422' })
  await block('other')

  expect(await actions(customer)).toEqual(['ban_user'])
})

// The embedded engine has only one connection, so two calls never run at the same time.
test.skipIf(process.env['ENGINE'] !== 'postgres')(
  'a second table API call with the same key is refused while the first is still running',
  async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]
    const end = sql`select public.end_sessions(${customer.id}, ${key})`
    await bank.owner.query(sql`select pg_advisory_lock(4712)`)
    const first = bank.database.transaction(bank.administrator.as('write'), [
      end,
      sql`select pg_advisory_xact_lock(4712)`,
    ])
    await expect
      .poll(() => bank.owner.query(sql`select from pg_locks where locktype = 'advisory' and not granted`))
      .toHaveLength(1)

    await expect(run(bank.administrator, end)).rejects.toMatchObject({ sqlState: 'PT409' })

    await bank.owner.query(sql`select pg_advisory_unlock(4712)`)
    await first
    await run(bank.administrator, end)
    expect(await actions(customer)).toEqual(['revoke_sessions'])
  },
)

test('after a refused call, the same idempotency key can be used for a corrected call', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]

  await expect(register(customer, key, oneBody, '0.005')).rejects.toMatchObject({ sqlState: '23514' })

  expect(await keptKeys(key)).toEqual([])
  await register(customer, key, otherBody)
  expect(await balanceOf(customer)).toBe('10')
})

test('a database transaction that fails later stores neither the key nor the effect', async () => {
  const [customer, key] = [await bank.addCustomer(), newKey()]

  await expect(
    bank.database.transaction(bank.administrator.as('write'), [
      depositWith(customer, key),
      sql`select 1 / 0`,
    ]),
  ).rejects.toMatchObject({ sqlState: '22012' })

  expect([await keptKeys(key), await balanceOf(customer)]).toEqual([[], '0'])
})

// The embedded engine has one connection, so two calls never run at the same time.
test.skipIf(process.env['ENGINE'] !== 'postgres')(
  'a second call gives up after two seconds while the first is still running',
  async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]
    await bank.owner.query(sql`select pg_advisory_lock(4711)`)
    const first = bank.database.transaction(bank.administrator.as('write'), [
      depositWith(customer, key),
      sql`select pg_advisory_xact_lock(4711)`,
    ])
    await expect
      .poll(() => bank.owner.query(sql`select from pg_locks where locktype = 'advisory' and not granted`))
      .toHaveLength(1)

    await expect(register(customer, key)).rejects.toMatchObject({ sqlState: '55P03' })

    await bank.owner.query(sql`select pg_advisory_unlock(4711)`)
    await first
    await register(customer, key)
    expect(await balanceOf(customer)).toBe('10')
  },
)

test('a call with a key does not read all orders on a hosted project, even if the statistics of the table are old', async () => {
  await runWithoutTriggers(
    bank,
    `insert into private.orders (id, kind, asked_by, asked_at, about, counts, route, call_key, body_hash)
     select gen_random_uuid(), 'end_sessions', gen_random_uuid(), now() - g * interval '20 seconds', gen_random_uuid(), false,
       'r', g, sha256('x')
     from generate_series(1, 20000) g order by md5(g::text);
     analyze private.orders;
     delete from private.orders where asked_at <= now() - interval '47 hours'`,
  )
  // The connection's statistics may include earlier database transactions, so the test compares two readings.
  const scanned = sql<{ rows: number }>`
    select seq_tup_read::integer as rows from pg_stat_xact_user_tables where relname = 'orders'`

  const [, [before], , [after]] = await bank.database.transaction(bank.administrator.as('write'), [
    // Our own server turns these scans off, but a hosted project does not.
    sql`set local enable_seqscan = on`,
    scanned,
    depositWith(await bank.addCustomer(), newKey()),
    scanned,
  ])

  expect((after?.rows ?? Infinity) - (before?.rows ?? 0)).toBe(0)
})
