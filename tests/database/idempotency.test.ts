// A call with a key takes effect once.
import { describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, balanceOf, run } from './people.ts'

const bank = useBank()

const [oneBody, otherBody] = ['11'.repeat(32), '22'.repeat(32)]
const newKey = () => crypto.randomUUID()
const depositWith = (customer: Person, key: string, body = oneBody, amount = '10') => sql<{ id: string }>`
  select public.register_transaction(
    ${customer.id}, 'deposit', ${amount}, 'Nómina', now(), 'Deposito', gen_random_uuid(), ${key}, ${body}) as id`
const register = (...deposit: Parameters<typeof depositWith>) =>
  run(bank.administrator, depositWith(...deposit))
const keptKeys = (key: string) =>
  bank.owner.query(sql`select response from ledger.idempotency_keys where key = ${key}`)

describe('the same key', () => {
  test('with the same body is refused with the answer of the first time, and nothing moves', async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]
    const [first] = await register(customer, key)

    await expect(register(customer, key)).rejects.toMatchObject({
      sqlState: 'FZ208',
      detail: `{"status": 200, "response": "{\\"id\\":\\"${first?.id}\\"}"}`,
    })

    expect(await balanceOf(customer)).toBe('10')
  })

  test('with another body is refused, and nothing moves', async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]
    await register(customer, key)

    await expect(register(customer, key, otherBody, '7')).rejects.toMatchObject({ sqlState: 'FZ422' })

    expect(await balanceOf(customer)).toBe('10')
  })

  test('of another administrator or another function is another key', async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]
    const other = await addPerson(bank.database, 'admin')

    await register(customer, key)
    await run(other, depositWith(customer, key, otherBody))
    await run(bank.administrator, sql`select public.delete_user(${customer.id}, ${key}, ${otherBody})`)

    expect(await keptKeys(key)).toHaveLength(3)
  })

  test('100 times at once takes effect once', async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]

    const calls = await Promise.allSettled(Array.from({ length: 100 }, () => register(customer, key)))

    const refused = calls.flatMap((call) => (call.status === 'rejected' ? [call.reason as object] : []))
    expect(refused).toHaveLength(99)
    for (const reason of refused) expect(reason).toMatchObject({ sqlState: 'FZ208' })
    expect(await balanceOf(customer)).toBe('10')
  })

  test('is free again after 48 hours, and the next claim of anybody carries old ones away', async () => {
    const customer = await bank.addCustomer()
    const [key, forgotten] = [newKey(), newKey()]
    await register(customer, key)
    await register(customer, forgotten)
    await bank.owner.query(
      sql`update ledger.idempotency_keys set created_at = now() - interval '48 hours' where key in (${key}, ${forgotten})`,
    )

    await register(customer, key, otherBody)

    expect(await balanceOf(customer)).toBe('30')
    expect(await keptKeys(forgotten)).toEqual([])
  })

  test('of a demoted administrator tells them nothing of what they did as one', async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]
    const other = await addPerson(bank.database, 'admin')
    await run(other, depositWith(customer, key))
    await bank.owner.query(sql`update auth.users set raw_app_meta_data = '{}' where id = ${other.id}`)
    await bank.owner.query(
      sql`insert into auth.sessions (id, user_id) values (${other.sessionId}, ${other.id})`,
    )

    await expect(run(other, depositWith(customer, key))).rejects.toMatchObject({ sqlState: '42501' })
  })

  test.for(['', 'a b', 'ñ', 'a'.repeat(256)])('%j is refused by the table too', async (key) => {
    await expect(register(await bank.addCustomer(), key)).rejects.toMatchObject({
      sqlState: '23514',
      constraint: 'idempotency_keys_key_is_visible',
    })
  })
})

describe('the key commits with the effect', () => {
  test('an effect that is refused leaves the key free: corrected, it takes effect', async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]

    await expect(register(customer, key, oneBody, '0.005')).rejects.toMatchObject({ sqlState: '23514' })

    expect(await keptKeys(key)).toEqual([])
    await register(customer, key, otherBody)
    expect(await balanceOf(customer)).toBe('10')
  })

  test('a database transaction that dies after the effect leaves neither', async () => {
    const [customer, key] = [await bank.addCustomer(), newKey()]

    await expect(
      bank.database.transaction(bank.administrator.as('write'), [
        depositWith(customer, key),
        sql`select 1 / 0`,
      ]),
    ).rejects.toMatchObject({ sqlState: '22012' })

    expect([await keptKeys(key), await balanceOf(customer)]).toEqual([[], '0'])
  })

  // The embedded engine has one connection: no call ever sees another at work.
  test.skipIf(process.env['ENGINE'] !== 'postgres')(
    'while the first one is still at work, the second gives up after two seconds',
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
      await expect(register(customer, key)).rejects.toMatchObject({ sqlState: 'FZ208' })
      expect(await balanceOf(customer)).toBe('10')
    },
  )
})
