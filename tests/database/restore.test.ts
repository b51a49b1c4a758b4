// Undo.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { asService } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, deposit, expense, run } from './people.ts'

let db: TestDatabase
let administrator: Person
let luis: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
  luis = await addPerson(db.database, 'user')
})
afterAll(() => db.close())

type Restored = { row: { id: string } }
const restore = (id: string) =>
  sql<Restored>`select to_jsonb(r) as row from public.restore_transaction(${id}) r`
const remove = (id: string) => sql`delete from public.transactions where id = ${id}`
const rowsOf = (person: Person) => run(person, sql`select * from public.transactions order by id`)
const balanceOf = async (person: Person) =>
  (await run(person, sql<{ balance: string }>`select balance::text from public.budgets`))[0]?.balance
const kindsOf = async (person: Person) =>
  (
    await db.owner.query(sql<{ kind: string; delta: string }>`
      select kind, delta::text from ledger.journal where user_id = ${person.id} order by seq`)
  ).map(({ kind, delta }) => `${kind} ${delta}`)
const keptAside = async (person: Person) =>
  (
    await db.owner.query(
      sql<{ id: string }>`select id from ledger.deleted_transactions where user_id = ${person.id}`,
    )
  ).map(({ id }) => id)

/** A customer with one transaction, deleted a moment ago. */
async function customerWithDeleted(kind: 'own expense' | 'bank deposit') {
  const customer = await addPerson(db.database, 'user')
  const [recorded] =
    kind === 'own expense'
      ? await run(customer, expense(customer, '40.25'))
      : await run(administrator, deposit(customer, '100'))
  const before = await rowsOf(customer)
  const id = recorded?.id ?? ''
  await run(customer, remove(id))
  return { customer, id, before }
}

describe('what comes back', () => {
  test('an expense of their own comes back exactly, and takes the money again', async () => {
    const { customer, id, before } = await customerWithDeleted('own expense')

    const [answer] = await run(customer, restore(id))

    expect(answer?.row).toMatchObject({ id, amount: 40.25, recorded_by: 'customer', description: 'Café' })
    expect(await rowsOf(customer)).toEqual(before)
    expect(await balanceOf(customer)).toBe('-40.25')
    expect(await kindsOf(customer)).toEqual(['expense -40.25', 'reversal 40.25', 'restoration -40.25'])
  })

  test('what the bank recorded comes back as the bank’s, and the balance has never moved', async () => {
    const { customer, id, before } = await customerWithDeleted('bank deposit')

    await run(customer, restore(id))

    expect(await rowsOf(customer)).toEqual(before)
    expect(before).toMatchObject([{ recorded_by: 'bank' }])
    expect(await balanceOf(customer)).toBe('100')
    expect(await kindsOf(customer)).toEqual(['deposit 100', 'removal 0', 'restoration 0'])
    expect((await verifyLedger(db.database)).broken).toBeNull()
  })

  test('what was restored can be deleted and restored again', async () => {
    const { customer, id, before } = await customerWithDeleted('own expense')
    await run(customer, restore(id))
    await run(customer, remove(id))
    await run(customer, restore(id))

    expect(await rowsOf(customer)).toEqual(before)
    expect(await balanceOf(customer)).toBe('-40.25')
    expect(await keptAside(customer)).toEqual([])
  })

  test('a date that would be refused today is kept as it was', async () => {
    const { customer, id } = await customerWithDeleted('own expense')
    await db.owner.query(
      sql`update ledger.deleted_transactions set date = '2001-02-03 04:05:06.789Z' where id = ${id}`,
    )

    const [answer] = await run(customer, restore(id))

    expect(answer?.row).toMatchObject({ date: '2001-02-03T04:05:06.789+00:00' })
  })

  test('the live channels hear of it as of a new row', async () => {
    const { customer, id } = await customerWithDeleted('own expense')

    await run(customer, restore(id))

    const heard = await db.owner.query(sql`
      select operation, record ->> 'id' as id from realtime.outbox
      where table_name = 'transactions' and coalesce(record, old_record) ->> 'user_id' = ${customer.id} order by seq`)
    expect(heard).toEqual([
      { operation: 'INSERT', id },
      { operation: 'DELETE', id: null },
      { operation: 'INSERT', id },
    ])
  })

  test('restored twice, or by twenty requests at once, it is there once and posted once', async () => {
    const { customer, id } = await customerWithDeleted('own expense')

    const answers = await Promise.all(Array.from({ length: 20 }, () => run(customer, restore(id))))

    expect(answers.map(([answer]) => answer?.row.id)).toEqual(Array.from({ length: 20 }, () => id))
    expect(await kindsOf(customer)).toEqual(['expense -40.25', 'reversal 40.25', 'restoration -40.25'])
  })
})

describe('what does not', () => {
  const refusal = { sqlState: 'PT404', message: 'Este movimiento ya no se puede recuperar.' }

  test('another customer, an administrator and an id of nobody get one and the same answer', async () => {
    const { customer, id } = await customerWithDeleted('own expense')

    await expect(run(luis, restore(id))).rejects.toMatchObject(refusal)
    await expect(run(administrator, restore(id))).rejects.toMatchObject(refusal)
    await expect(run(customer, restore(crypto.randomUUID()))).rejects.toMatchObject(refusal)

    expect(await rowsOf(customer)).toEqual([])
    expect(await rowsOf(luis)).toEqual([])
  })

  test('after 24 hours it is too late, and the next deletion of anybody carries the row away', async () => {
    const { customer, id } = await customerWithDeleted('own expense')
    await db.owner.query(
      sql`update ledger.deleted_transactions set deleted_at = now() - interval '24 hours 1 second' where id = ${id}`,
    )

    await expect(run(customer, restore(id))).rejects.toMatchObject(refusal)
    await customerWithDeleted('own expense')

    expect(await keptAside(customer)).toEqual([])
    expect(await kindsOf(customer)).toEqual(['expense -40.25', 'reversal 40.25'])
  })

  test('after 24 hours the sweep carries the row away, also where nobody deletes anything', async () => {
    const { customer, id } = await customerWithDeleted('own expense')
    const { customer: other } = await customerWithDeleted('own expense')
    await db.owner.query(
      sql`update ledger.deleted_transactions set deleted_at = now() - interval '24 hours 1 second' where id = ${id}`,
    )

    await db.database.transaction(asService('supabase_auth_admin', 'write'), [
      sql`select private.purge_expired(500)`,
    ])

    expect(await keptAside(customer)).toEqual([])
    expect(await keptAside(other)).not.toEqual([])
    await expect(run(customer, sql`select private.purge_expired(500)`)).rejects.toMatchObject({
      sqlState: '42501',
    })
  })

  test('an id that was deleted is not free: another expense under it is a duplicate, for ever', async () => {
    const { customer, id } = await customerWithDeleted('bank deposit')
    const recordUnderIt = sql`
      insert into public.transactions (user_id, id, type, description, amount)
      values (${customer.id}, ${id}, 'expense', 'Otra cosa', 7)`

    await expect(run(customer, recordUnderIt)).rejects.toMatchObject({ sqlState: '23505' })
    await db.owner.query(sql`delete from ledger.deleted_transactions where id = ${id}`)
    await expect(run(customer, recordUnderIt)).rejects.toMatchObject({ sqlState: '23505' })

    expect(await kindsOf(customer)).toEqual(['deposit 100', 'removal 0'])
  })

  test('nothing is kept aside of a user who is gone', async () => {
    const { customer } = await customerWithDeleted('own expense')
    await run(customer, expense(customer, '1'))

    await run(administrator, sql`select public.delete_user(${customer.id})`)

    expect(await keptAside(customer)).toEqual([])
  })
})
