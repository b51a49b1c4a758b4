// A call with a key takes effect once.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, run } from './people.ts'

let db: TestDatabase
let administrator: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
})
afterAll(() => db.close())

const [oneBody, otherBody] = ['11'.repeat(32), '22'.repeat(32)]
const newKey = () => crypto.randomUUID()
const depositWith = (customer: Person, key: string, body = oneBody, amount = '10') => sql<{ id: string }>`
  select public.register_transaction(
    ${customer.id}, 'deposit', ${amount}, 'Nómina', now(), 'Deposito', gen_random_uuid(), ${key}, ${body}) as id`
const balanceOf = async (person: Person) =>
  (await run(person, sql<{ balance: string }>`select balance::text from public.budgets`))[0]?.balance
const keptKeys = async (key: string) =>
  (
    await db.owner.query(
      sql<{ response: string }>`select response from ledger.idempotency_keys where key = ${key}`,
    )
  ).map(({ response }) => response)

describe('the same key', () => {
  test('with the same body is refused with the answer of the first time, and nothing moves', async () => {
    const customer = await addPerson(db.database, 'user')
    const key = newKey()
    const [first] = await run(administrator, depositWith(customer, key))

    await expect(run(administrator, depositWith(customer, key))).rejects.toMatchObject({
      sqlState: 'FZ208',
      detail: `{"status": 200, "response": "{\\"id\\":\\"${first?.id}\\"}"}`,
    })

    expect(await balanceOf(customer)).toBe('10')
  })

  test('with another body is refused, and nothing moves', async () => {
    const customer = await addPerson(db.database, 'user')
    const key = newKey()
    await run(administrator, depositWith(customer, key))

    await expect(run(administrator, depositWith(customer, key, otherBody, '7'))).rejects.toMatchObject({
      sqlState: 'FZ422',
    })

    expect(await balanceOf(customer)).toBe('10')
  })

  test('of another administrator, or for another function, is another key', async () => {
    const customer = await addPerson(db.database, 'user')
    const other = await addPerson(db.database, 'admin')
    const key = newKey()

    await run(administrator, depositWith(customer, key))
    await run(other, depositWith(customer, key, otherBody))
    await run(administrator, sql`select public.delete_user(${customer.id}, ${key}, ${otherBody})`)

    expect(await keptKeys(key)).toHaveLength(3)
  })

  test('100 times at once takes effect once', async () => {
    const customer = await addPerson(db.database, 'user')
    const key = newKey()

    const calls = await Promise.allSettled(
      Array.from({ length: 100 }, () => run(administrator, depositWith(customer, key))),
    )

    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as object] : []))
    expect(refused).toHaveLength(99)
    for (const reason of refused) expect(reason).toMatchObject({ sqlState: 'FZ208' })
    expect(await balanceOf(customer)).toBe('10')
  })

  test('is free again after 48 hours, and the next claim of anybody carries old ones away', async () => {
    const customer = await addPerson(db.database, 'user')
    const [key, forgotten] = [newKey(), newKey()]
    await run(administrator, depositWith(customer, key))
    await run(administrator, depositWith(customer, forgotten))
    await db.owner.query(
      sql`update ledger.idempotency_keys set created_at = now() - interval '48 hours' where key in (${key}, ${forgotten})`,
    )

    await run(administrator, depositWith(customer, key, otherBody))

    expect(await balanceOf(customer)).toBe('30')
    expect(await keptKeys(forgotten)).toEqual([])
  })

  test('is forgotten after 48 hours, also where nobody claims another', async () => {
    const customer = await addPerson(db.database, 'user')
    const [key, fresh] = [newKey(), newKey()]
    await run(administrator, depositWith(customer, key))
    await run(administrator, depositWith(customer, fresh))
    await db.owner.query(
      sql`update ledger.idempotency_keys set created_at = now() - interval '48 hours' where key = ${key}`,
    )

    await db.database.transaction(asService('supabase_auth_admin', 'write'), [
      sql`select private.purge_expired(500)`,
    ])

    expect(await keptKeys(key)).toEqual([])
    expect(await keptKeys(fresh)).not.toEqual([])
  })
})

describe('the key commits with the effect', () => {
  test('an effect that is refused leaves the key free: corrected, it takes effect', async () => {
    const customer = await addPerson(db.database, 'user')
    const key = newKey()

    await expect(run(administrator, depositWith(customer, key, oneBody, '0.005'))).rejects.toMatchObject({
      sqlState: '23514',
    })

    expect(await keptKeys(key)).toEqual([])
    await run(administrator, depositWith(customer, key, otherBody))
    expect(await balanceOf(customer)).toBe('10')
  })

  test('a database transaction that dies after the effect leaves neither', async () => {
    const customer = await addPerson(db.database, 'user')
    const key = newKey()

    await expect(
      db.database.transaction(administrator.as('write'), [depositWith(customer, key), sql`select 1 / 0`]),
    ).rejects.toMatchObject({ sqlState: '22012' })

    expect([await keptKeys(key), await balanceOf(customer)]).toEqual([[], '0'])
    await run(administrator, depositWith(customer, key))
    expect(await balanceOf(customer)).toBe('10')
  })

  // The embedded engine has one connection: no call ever sees another at work.
  test.skipIf(process.env['ENGINE'] !== 'postgres')(
    'while the first one is still at work, the second gives up after two seconds',
    async () => {
      const customer = await addPerson(db.database, 'user')
      const key = newKey()
      await db.owner.query(sql`select pg_advisory_lock(4711)`)
      const first = db.database.transaction(administrator.as('write'), [
        depositWith(customer, key),
        sql`select pg_advisory_xact_lock(4711)`,
      ])
      await expect
        .poll(() => db.owner.query(sql`select from pg_locks where locktype = 'advisory' and not granted`))
        .toHaveLength(1)

      await expect(run(administrator, depositWith(customer, key))).rejects.toMatchObject({
        sqlState: '55P03',
      })

      await db.owner.query(sql`select pg_advisory_unlock(4711)`)
      await first
      await expect(run(administrator, depositWith(customer, key))).rejects.toMatchObject({
        sqlState: 'FZ208',
      })
      expect(await balanceOf(customer)).toBe('10')
    },
  )
})

describe('who may', () => {
  test('a demoted administrator is not told again what they did as one', async () => {
    const [customer, other] = [await addPerson(db.database, 'user'), await addPerson(db.database, 'admin')]
    const key = newKey()
    await run(other, depositWith(customer, key))
    await db.owner.query(sql`update auth.users set raw_app_meta_data = '{}' where id = ${other.id}`)
    await db.owner.query(
      sql`insert into auth.sessions (id, user_id) values (${other.sessionId}, ${other.id})`,
    )

    await expect(run(other, depositWith(customer, key))).rejects.toMatchObject({ sqlState: '42501' })
  })

  test.each(['', 'a b', 'ñ', 'a'.repeat(256)])('the key %j is refused by the table too', async (key) => {
    const customer = await addPerson(db.database, 'user')

    await expect(run(administrator, depositWith(customer, key))).rejects.toMatchObject({
      sqlState: '23514',
      constraint: 'idempotency_keys_key_is_visible',
    })
  })
})
