// The purge removes only expired data, as docs/privacy.md describes.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

test('the purge removes only expired rows of the authentication service', async () => {
  const [over, alive] = [await bank.addCustomer(), await bank.addCustomer()]
  await bank.owner.query(
    sql`update auth.sessions set created_at = now() - interval '31 days' where id = ${over.sessionId}`,
  )
  for (const [id, days] of [
    [over.id, 1],
    [alive.id, -1],
  ] as const)
    await bank.asService(
      sql`
        insert into auth.one_time_tokens (token_hash, user_id, token_type, relates_to, expires_at)
        values (${id}, ${id}, 'recovery', 'a@banco.example', now() - make_interval(days => ${days}))`,
      sql`
        insert into auth.mfa_factors (user_id, factor_type, begun_in, created_at)
        values (${id}, 'webauthn', ${id}, now() - make_interval(mins => ${10 + days}))`,
      sql`insert into auth.known_networks values (${id}, '10.0.0.1', now() - make_interval(days => ${90 + days}))`,
      sql`insert into auth.outgoing_mails (sealed, next_try_at, created_at)
          values (${new Uint8Array([1])}, null, now() - make_interval(days => ${7 + days}))`,
    )

  await bank.asService(sql`select auth.purge_expired()`)

  const rows = await bank.owner.query(sql`
    select
      (select count(*) from auth.sessions where id = any(array[${over.sessionId}, ${alive.sessionId}]::uuid[])) as sessions,
      (select count(*) from auth.one_time_tokens) as tokens,
      (select count(*) from auth.mfa_factors) as factors,
      (select count(*) from auth.known_networks) as networks,
      (select count(*) from auth.outgoing_mails) as mails`)
  expect(rows).toEqual([{ sessions: 1, tokens: 1, factors: 1, networks: 1, mails: 1 }])
})

const sweep = () => bank.asService(sql`select private.purge_expired(500)`)

test('attempts are purged an hour after their window', async () => {
  for (const [key, minutes] of [
    ['over', 61],
    ['alive', 59],
  ] as const)
    await bank.owner.query(
      sql`insert into private.attempts values (${key}, 1, 0, now() - make_interval(mins => ${minutes}))`,
    )

  await sweep()

  expect(await bank.owner.query(sql`select key from private.attempts`)).toEqual([{ key: 'alive' }])
})

test('deleted transactions are purged after 24 hours and idempotency keys after 48 hours', async () => {
  const customer = await bank.addCustomer()
  const [over, fresh] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const key of [over, fresh]) {
    await run(
      bank.administrator,
      sql`select private.register_transaction(
        ${customer.id}, 'deposit', 10, 'Nómina', now(), 'Deposito', ${key}, ${key}, ${'11'.repeat(32)})`,
    )
    await run(customer, remove(key))
  }
  await bank.owner.query(
    sql`update ledger.deleted_transactions set deleted_at = now() - interval '24 hours 1 second' where id = ${over}`,
  )
  await bank.owner.query(
    sql`update private.orders set asked_at = now() - interval '48 hours' where call_key = ${over}`,
  )

  await sweep()

  expect(await bank.owner.query(sql`select id from ledger.deleted_transactions`)).toEqual([{ id: fresh }])
  expect(
    await bank.owner.query(
      sql`select call_key from private.orders where route is not null order by asked_at`,
    ),
  ).toEqual([{ call_key: null }, { call_key: fresh }])
})

test('the purge counts the idempotency keys that it empties', async () => {
  const customer = await bank.addCustomer()
  const key = crypto.randomUUID()
  await run(
    bank.administrator,
    sql`select private.register_transaction(
      ${customer.id}, 'deposit', 10, 'Nómina', now(), 'Deposito', ${key}, ${key}, ${'11'.repeat(32)})`,
  )
  await sweep()
  await bank.owner.query(
    sql`update private.orders set asked_at = now() - interval '48 hours' where call_key = ${key}`,
  )

  expect(await sweep()).toEqual([[{ purge_expired: 1 }]])
})

test('the edits of a deleted transaction are purged with it and stay if it was restored', async () => {
  const customer = await bank.addCustomer()
  const [over, restored] = [
    await record(customer, expense(customer, '1')),
    await record(customer, expense(customer, '2')),
  ]
  await run(customer, sql`update public.transactions set category = 'Otro'`)
  for (const id of [over, restored]) await run(customer, remove(id))
  await run(customer, sql`select public.restore_transaction(${restored})`)
  await bank.owner.query(sql`update ledger.deleted_transactions set deleted_at = now() - interval '25 hours'`)

  await sweep()

  expect(await run(customer, sql`select transaction_id from public.transaction_edits`)).toEqual([
    { transaction_id: restored },
  ])
})

/** Adds an account that was created `days` days ago. */
async function addAccount(days: number, { isConfirmed = false, role = 'user' } = {}): Promise<string> {
  const id = crypto.randomUUID()
  const appMetadata = JSON.stringify(role === 'admin' ? { role } : {})
  await bank.asService(sql`
    insert into auth.users (id, email, raw_app_meta_data, created_at, email_confirmed_at)
    values (${id}, ${`${id}@banco.example`}, ${appMetadata}, now() - make_interval(days => ${days}),
      case when ${isConfirmed} then now() end)`)
  return id
}

const isThere = async (id: string) =>
  (await bank.owner.query(sql`select from auth.users where id = ${id}`)).length === 1
const traces = () =>
  bank.owner.query(sql`
    select (select count(*) from ledger.audit) as audit, (select count(*) from ledger.journal) as journal`)

test('an unconfirmed account is deleted without a trace after seven days', async () => {
  const [over, fresh] = [await addAccount(8), await addAccount(6)]
  const before = await traces()

  await sweep()

  expect([await isThere(over), await isThere(fresh)]).toEqual([false, true])
  expect(await traces()).toEqual(before)
})

test('the purge keeps accounts that have a confirmed address or a role or a valid link or a deposit', async () => {
  const confirmed = await addAccount(8, { isConfirmed: true })
  const administrator = await addAccount(8, { role: 'admin' })
  const linked = await addAccount(8)
  const paid = await addAccount(8)
  await bank.asService(sql`
    insert into auth.one_time_tokens (token_hash, user_id, token_type, relates_to, expires_at)
    values (${linked}, ${linked}, 'signup', 'a@banco.example', now() + interval '1 hour')`)
  await run(bank.administrator, deposit({ ...bank.administrator, id: paid }, '10'))

  await sweep()

  for (const id of [confirmed, administrator, linked, paid]) expect(await isThere(id)).toBe(true)
})
