/** How much customers may post themselves, wherever the posting comes from. */
import { ownBalanceMin } from '@finanzas/contract/limits.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, deposit, expense, run } from './people.ts'

/** Of `ledger.require_quota`: in 24 hours, and in the first 24 hours of an account. */
const ownPostingsPerDayMax = 1000
const ownPostingsOfNewAccountMax = 100

let db: TestDatabase
let administrator: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
})
afterAll(() => db.close())

const expenses = (person: Person, count: number) =>
  sql<{ id: string }>`
    insert into public.transactions (user_id, type, description, amount)
    select ${person.id}, 'expense', 'Café', 0.01 from generate_series(1, ${count}::integer) returning id`
/** In portions: the time of one write grows with the square of its rows. */
async function post(person: Person, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 250) await run(person, expenses(person, Math.min(left, 250)))
}
const restore = (id: string) => sql`select public.restore_transaction(${id})`
const tooMany = { sqlState: 'PT429' }

/** A customer whose account is older than a day. */
async function addOldCustomer(): Promise<Person> {
  const customer = await addPerson(db.database, 'user')
  await db.owner.query(
    sql`update auth.users set created_at = now() - interval '25 hours' where id = ${customer.id}`,
  )
  return customer
}

/** As if everything had happened so much earlier; the chain's hashes are not what is tried here. */
async function letTimePass(person: Person, hours: number): Promise<void> {
  const superuser = await db.connectSuperuser()
  await superuser.script(`
    set local session_replication_role = 'replica';
    update ledger.journal set recorded_at = recorded_at - interval '${hours} hours' where user_id = '${person.id}'`)
  await superuser.close()
}

test('a customer posts so many expenses in a day, one by one or together, and not one more', async () => {
  const customer = await addOldCustomer()
  await post(customer, ownPostingsPerDayMax - 1)
  await run(customer, expense(customer, '1'))

  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)
  await expect(run(customer, expenses(customer, 2))).rejects.toMatchObject(tooMany)
})

test('a write that goes past the day’s postings leaves nothing behind, and says when to come back', async () => {
  const customer = await addPerson(db.database, 'user')

  const refused = run(customer, expenses(customer, ownPostingsOfNewAccountMax + 1)).catch(
    (error: unknown) => error,
  )

  const { detail } = (await refused) as { detail: string }
  const seconds = Number(/^Retry-After: (\d+)$/.exec(detail)?.[1])
  expect(seconds).toBeGreaterThan(23 * 3600)
  expect(seconds).toBeLessThanOrEqual(24 * 3600)
  expect(await run(customer, sql`select id from public.transactions`)).toEqual([])
})

test('in an account’s first day it is fewer, and the next day it is not', async () => {
  const customer = await addPerson(db.database, 'user')
  await run(customer, expenses(customer, ownPostingsOfNewAccountMax))
  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)

  await db.owner.query(
    sql`update auth.users set created_at = now() - interval '25 hours' where id = ${customer.id}`,
  )

  await run(customer, expense(customer, '1'))
})

test('after a day there are as many again', async () => {
  const customer = await addOldCustomer()
  await post(customer, ownPostingsPerDayMax)
  await letTimePass(customer, 24)

  await run(customer, expenses(customer, 2))
})

test('who deletes has no more to post', async () => {
  const customer = await addPerson(db.database, 'user')
  await run(customer, expenses(customer, ownPostingsOfNewAccountMax))
  await run(customer, sql`delete from public.transactions where user_id = ${customer.id}`)

  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)
})

test('a full day keeps no deletion from being undone, and undoing has an end too', async () => {
  const customer = await addPerson(db.database, 'user')
  const [first] = await run(customer, expenses(customer, ownPostingsOfNewAccountMax))
  const id = first?.id ?? ''
  const deleteAndRestore = async () => {
    await run(customer, sql`delete from public.transactions where id = ${id}`)
    await run(customer, restore(id))
  }

  for (let undone = 0; undone < ownPostingsOfNewAccountMax; undone += 1) await deleteAndRestore()

  await expect(deleteAndRestore()).rejects.toMatchObject(tooMany)
})

test('what the bank posts is not counted, and never refused', async () => {
  const customer = await addPerson(db.database, 'user')
  const deposits = sql`
    select public.register_transaction(${customer.id}, 'expense', 0.01, 'Comisión', now(), 'Otro')
    from generate_series(1, ${ownPostingsOfNewAccountMax + 1}::integer)`
  await run(administrator, deposits)
  await run(customer, expenses(customer, ownPostingsOfNewAccountMax))
  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)

  await run(administrator, deposit(customer, '1'))
})

test('own expenses take the balance to its least and no further; the bank’s own debits go on', async () => {
  const customer = await addPerson(db.database, 'user')
  await run(customer, expense(customer, '999999999999.99'))
  await run(customer, expense(customer, '0.01'))
  const least = ownBalanceMin.toFixed(2)
  const balance = sql`select balance::text from public.budgets`
  expect(await run(customer, balance)).toEqual([{ balance: least }])

  await expect(run(customer, expense(customer, '0.01'))).rejects.toMatchObject({ sqlState: 'FZ402' })

  await run(
    administrator,
    sql`select public.register_transaction(${customer.id}, 'expense', 10, 'Comisión', now(), 'Otro')`,
  )
  expect(await run(customer, balance)).toEqual([{ balance: (ownBalanceMin - 10).toFixed(2) }])
})

test('an expense that was deleted does not come back below the least', async () => {
  const customer = await addPerson(db.database, 'user')
  const [kept] = await run(customer, expense(customer, '1'))
  await run(customer, sql`delete from public.transactions where id = ${kept?.id ?? ''}`)
  await run(customer, expense(customer, '999999999999.99'))

  await expect(run(customer, restore(kept?.id ?? ''))).rejects.toMatchObject({ sqlState: 'FZ402' })
})
