/**
 * The histories that are put in below the triggers are ones that the triggers could have written: the ledger verifies,
 * and the next posting continues each chain. `verifyLedger` found a hash that was taken before the balance was
 * moved, in a script.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from '#testing/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { customerId } from './customers.ts'
import { fillLongHistories } from './long-histories.ts'

let bank: TestDatabase

beforeAll(async () => {
  bank = await openTestDatabase()
  await fillLongHistories(bank.owner, [30, 7])
})

afterAll(() => bank.close())

test('every chain, balance and list of the histories holds', async () => {
  const verdict = await verifyLedger(bank.database)

  expect(verdict).toEqual({ entries: 37, customers: 2, auditRows: 0, broken: null })
})

test('an expense after them is the next entry of its chain, and everything still holds', async () => {
  await bank.owner.query(sql`
    insert into public.transactions (user_id, type, description, amount) values (${customerId(2)}, 'expense', 'Café', 4.5)`)

  const [entry] = await bank.owner.query(sql<{ seq: number }>`
    select seq from ledger.journal where user_id = ${customerId(2)} order by seq desc limit 1`)
  const verdict = await verifyLedger(bank.database)
  expect(Number(entry?.seq)).toBe(8)
  expect(verdict).toMatchObject({ entries: 38, broken: null })
})
