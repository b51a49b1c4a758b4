// Tests which entries of the journal are notes of the customer and which are postings of the bank. The random histories
// of one-truth.test.ts prove that no action of a customer changes the sum of the bank's postings.
import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { useBank } from './database.ts'
import { type Person, charge, closeAccount, expense, record, remove, run } from './people.ts'
import { account, enableTransfers, request, returnTransfer } from './transfers.ts'
import { addHolder, addPair } from './beneficiaries.ts'

const bank = useBank(enableTransfers)

const heldBy = async (person: Person) => {
  const [row] = await run(
    person,
    sql<{ booked: number; noted: number }>`
      select (balance - noted)::float8 as booked, noted::float8 as noted from public.budgets`,
  )
  return row
}

test('a transfer that a customer requested is a posting of the bank', async () => {
  const { payer, payee, beneficiary } = await addPair(bank, '100')
  const { id } = await request(payer, beneficiary, '30')
  expect([await heldBy(payer), await heldBy(payee)]).toEqual([
    { booked: 70, noted: 0 },
    { booked: 30, noted: 0 },
  ])

  await returnTransfer(bank.administrator, id)

  expect([await heldBy(payer), await heldBy(payee)]).toEqual([
    { booked: 100, noted: 0 },
    { booked: 0, noted: 0 },
  ])
})

test('an expense that the database records for a customer is a note of the customer', async () => {
  const customer = await addHolder(bank, '100')
  await run(
    customer,
    sql`select public.save_recurring_expense(
      ${crypto.randomUUID()}, 'Arriendo', 10, 'monthly', (now() at time zone 'America/Bogota')::date, 'Servicios', null, 'active', true)`,
  )

  await bank.database.transaction(asCaller({ role: 'service_role' }, 'write'), [
    sql`select private.record_due_expenses(1000, now())`,
  ])

  expect(await heldBy(customer)).toEqual({ booked: 100, noted: -10 })
})

test('a customer cannot raise the amount available for transfers by deleting transactions', async () => {
  const { payer, beneficiary } = await addPair(bank, '100')
  const fee = await record(bank.administrator, charge(payer, '60'))
  const note = await record(payer, expense(payer, '5'))

  for (const id of [fee, note]) await run(payer, remove(id))

  expect(await account(payer)).toMatchObject({ balance: 40, available: 40 })
  await expect(request(payer, beneficiary, '40.01')).rejects.toMatchObject({ sqlState: 'PT422' })
  expect(await heldBy(payer)).toEqual({ booked: 40, noted: 0 })
})

test('a customer whose notes alone take the balance below zero can close the account after a return', async () => {
  const { payer, payee, beneficiary } = await addPair(bank, '100')
  const { id } = await request(payer, beneficiary, '30')
  await returnTransfer(bank.administrator, id)
  await run(payee, expense(payee, '5'))

  await closeAccount(payee)

  expect(await bank.owner.query(sql`select from auth.users where id = ${payee.id}`)).toEqual([])
})

test('the database refuses notes that would raise the balance above what the bank recorded', async () => {
  const customer = await addHolder(bank, '100')
  const raise = sql`
    select ledger.post_all(${customer.id}, array[row('reversal', 'own', null, gen_random_uuid(), 1, now())::ledger.posting])`

  await expect(bank.owner.query(raise)).rejects.toMatchObject({
    sqlState: '23514',
    constraint: 'budgets_notes_only_lower',
  })
})

test('administrators see what the bank owes, regardless of the customers’ notes', async () => {
  const sumsOf = async () => {
    const [row] = await run(
      bank.administrator,
      sql<{ total: number; owed: number; overdrawn: number; noted: number }>`
        select total::float8 as total, owed::float8 as owed, overdrawn::float8 as overdrawn, noted::float8 as noted
        from public.sum_bank()`,
    )
    return row ?? { total: Number.NaN, owed: Number.NaN, overdrawn: Number.NaN, noted: Number.NaN }
  }
  const before = await sumsOf()
  const customer = await addHolder(bank, '100')
  await run(customer, expense(customer, '107'))

  // The bank still owes the whole deposit.
  expect(await sumsOf()).toEqual({
    total: before.total - 7,
    owed: before.owed + 100,
    overdrawn: before.overdrawn,
    noted: before.noted - 107,
  })
  const [opened] = await run(
    bank.administrator,
    sql<{ booked: string; noted: string }>`
      select o ->> 'booked' as booked, o ->> 'noted' as noted from public.open_customer(${customer.id}) o`,
  )
  expect(opened).toEqual({ booked: '100', noted: '-107' })
})
