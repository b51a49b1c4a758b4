/** Limits on the postings that customers make themselves. */
import { ownBalanceMin } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { letPass, partsOfDay } from './counters.ts'
import { useBank } from './database.ts'
import { type Person, ageAccount, deposit, expense, record, remove, run } from './people.ts'

/** The numbers of the limit "own posting": for any 24 hours, and for an account's first 24 hours. */
const ownPostingsPerDayMax = 1000
const ownPostingsOfNewAccountMax = 100

const bank = useBank()

const expenses = (person: Person, count: number) =>
  sql<{ id: string }>`
    insert into public.transactions (user_id, type, description, amount)
    select ${person.id}, 'expense', 'Café', 0.01 from generate_series(1, ${count}::integer) returning id`
/**
 * Records expenses in several writes, because the duration of a write grows quadratically with the number of its
 * rows.
 */
async function post(person: Person, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 250) await run(person, expenses(person, Math.min(left, 250)))
}
const restore = (id: string) => sql`select public.restore_transaction(${id})`
const tooMany = { sqlState: 'PT429' }

test('a customer cannot post more expenses than the daily limit', async () => {
  const customer = await bank.addCustomer()
  await ageAccount(bank.owner, customer)
  await post(customer, ownPostingsPerDayMax - 1)
  await run(customer, expense(customer, '1'))

  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)
  await expect(run(customer, expenses(customer, 2))).rejects.toMatchObject(tooMany)
})

test('a write above the daily limit stores nothing, and its refusal has a Retry-After', async () => {
  const customer = await bank.addCustomer()

  const refused = run(customer, expenses(customer, ownPostingsOfNewAccountMax + 1)).catch(
    (error: unknown) => error,
  )

  const { detail } = (await refused) as { detail: string }
  const seconds = Number(/^Retry-After: (\d+)$/.exec(detail)?.[1])
  expect(seconds).toBeGreaterThan(23 * 3600)
  expect(seconds).toBeLessThanOrEqual(24 * 3600)
  expect(await run(customer, sql`select id from public.transactions`)).toEqual([])
})

test('a new account has a lower limit in its first 24 hours', async () => {
  const customer = await bank.addCustomer()
  await run(customer, expenses(customer, ownPostingsOfNewAccountMax))
  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)

  await ageAccount(bank.owner, customer)

  await run(customer, expense(customer, '1'))
})

test('the full limit is available again after a day', async () => {
  const customer = await bank.addCustomer()
  await ageAccount(bank.owner, customer)
  await post(customer, ownPostingsPerDayMax)
  await letPass(bank, 'own posting', customer.id, partsOfDay)
  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)

  await letPass(bank, 'own posting', customer.id, 1)

  await run(customer, expenses(customer, 2))
})

test('a deleted expense still counts towards the daily limit', async () => {
  const customer = await bank.addCustomer()
  await run(customer, expenses(customer, ownPostingsOfNewAccountMax))
  await run(customer, sql`delete from public.transactions where user_id = ${customer.id}`)

  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)
})

test('a customer at the daily limit of expenses can restore deleted expenses, up to a separate limit', async () => {
  const customer = await bank.addCustomer()
  const id = await record(customer, expenses(customer, ownPostingsOfNewAccountMax))
  const deleteAndRestore = async () => {
    await run(customer, remove(id))
    await run(customer, restore(id))
  }

  for (let undone = 0; undone < ownPostingsOfNewAccountMax; undone += 1) await deleteAndRestore()

  await expect(deleteAndRestore()).rejects.toMatchObject(tooMany)
})

test('the bank’s postings do not count towards the limit and are not refused', async () => {
  const customer = await bank.addCustomer()
  const deposits = sql`
    select private.register_transaction(${customer.id}, 'expense', 0.01, 'Comisión', now(), 'Otro')
    from generate_series(1, ${ownPostingsOfNewAccountMax + 1}::integer)`
  await run(bank.administrator, deposits)
  await run(customer, expenses(customer, ownPostingsOfNewAccountMax))
  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject(tooMany)

  await run(bank.administrator, deposit(customer, '1'))
})

test('a customer’s own expenses cannot take the balance below the minimum', async () => {
  const customer = await bank.addCustomer()
  await run(customer, expense(customer, '999999999999.99'))
  await run(customer, expense(customer, '0.01'))
  const least = ownBalanceMin.toFixed(2)
  const balance = sql`select balance::text from public.budgets`
  expect(await run(customer, balance)).toEqual([{ balance: least }])

  await expect(run(customer, expense(customer, '0.01'))).rejects.toMatchObject({ sqlState: 'FZ402' })

  await run(
    bank.administrator,
    sql`select private.register_transaction(${customer.id}, 'expense', 10, 'Comisión', now(), 'Otro')`,
  )
  expect(await run(customer, balance)).toEqual([{ balance: (ownBalanceMin - 10).toFixed(2) }])
})

test('a deleted expense cannot be restored if it would take the balance below the minimum', async () => {
  const customer = await bank.addCustomer()
  const id = await record(customer, expense(customer, '1'))
  await run(customer, remove(id))
  await run(customer, expense(customer, '999999999999.99'))

  await expect(run(customer, restore(id))).rejects.toMatchObject({ sqlState: 'FZ402' })
})
