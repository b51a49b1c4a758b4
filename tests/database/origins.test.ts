// Each transaction says where it comes from. The function that records the transaction sets the origin, every entry of
// the transaction in the journal repeats it, and no client can set or change it.
import { beforeEach, describe, expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { createBatch, postAll } from './batches.ts'
import { runWithoutTriggers, useBank } from './database.ts'
import { type Person, call, correct, deposit, expense, record, remove, run } from './people.ts'
import { day, enableTransfers, request, returnTransfer } from './transfers.ts'
import { addPair } from './beneficiaries.ts'

const bank = useBank(enableTransfers)

type Origin = { origin: string; origin_id: string | null }
const originsOf = (person: Person) =>
  run(person, sql<Origin>`select origin, origin_id from public.transactions order by date, id`)
const originOf = async (person: Person, id: string) => {
  const [row] = await run(
    person,
    sql<Origin>`select origin, origin_id from public.transactions where id = ${id}`,
  )
  return row
}
/** Returns the origins in the customer's journal, each once. */
const journalOf = (person: Person) =>
  run(person, sql<Origin>`select distinct origin, origin_id from public.journal_entries order by 1, 2`)

describe('the origin', () => {
  let customer: Person
  beforeEach(async () => {
    customer = await bank.addCustomer()
  })

  test('of an expense that the customer enters is their own', async () => {
    const id = await record(customer, expense(customer, '3'))

    expect(await originOf(customer, id)).toEqual({ origin: 'own', origin_id: null })
    expect(await journalOf(customer)).toEqual([{ origin: 'own', origin_id: null }])
  })

  test('of an imported expense is the import', async () => {
    const id = crypto.randomUUID()
    const rows = JSON.stringify([{ date: '2026-01-31', description: 'Pan', amount: 2, category: null }])
    await call(customer, sql`public.import_transactions(${id}, ${rows}::json)`)

    const imported = [{ origin: 'import', origin_id: id }]
    expect([await originsOf(customer), await journalOf(customer)]).toEqual([imported, imported])
  })

  test('of an expense that a recurring expense records is the recurring expense', async () => {
    const id = crypto.randomUUID()
    await call(
      customer,
      sql`public.save_recurring_expense(
        ${id}, 'Arriendo', 10, 'monthly', ${await day(bank, 0)}, 'Casa', null, 'active', true)`,
    )

    const recorded = [{ origin: 'recurring', origin_id: id }]
    expect([await originsOf(customer), await journalOf(customer)]).toEqual([recorded, recorded])
  })

  test('of a deposit that an administrator registers is the administrator’s order', async () => {
    const id = await record(bank.administrator, deposit(customer, '100'))

    expect(await originOf(customer, id)).toEqual({ origin: 'clerk', origin_id: id })
    expect(await journalOf(customer)).toEqual([{ origin: 'clerk', origin_id: id }])
  })

  test('of a deposit from a batch is the batch, and the batch is also the origin of its reversal', async () => {
    const lines = [{ line: 2, user_id: customer.id, amount: 12.5, description: 'Nómina' }]
    const { id } = await createBatch(bank.administrator, lines)
    await postAll(bank)
    expect(await originsOf(customer)).toEqual([{ origin: 'batch', origin_id: id }])

    await call(bank.administrator, sql`public.reverse_batch(${id}, 'Monto equivocado')`)
    await postAll(bank)

    expect(await originsOf(customer)).toEqual([
      { origin: 'batch', origin_id: id },
      { origin: 'correction', origin_id: id },
    ])
  })

  test('of a correction and of its replacement is the correction', async () => {
    const mistake = await record(bank.administrator, deposit(customer, '100'))
    const id = await record(bank.administrator, correct(customer, mistake, 'Monto equivocado', '10'))

    const corrected = { origin: 'correction', origin_id: id }
    expect(await originOf(customer, mistake)).toEqual({ origin: 'clerk', origin_id: mistake })
    expect((await originsOf(customer)).filter(({ origin }) => origin !== 'clerk')).toEqual([
      corrected,
      corrected,
    ])
  })

  test('stays in every later entry of the transaction', async () => {
    const id = await record(customer, expense(customer, '3'))
    const removed = await record(bank.administrator, deposit(customer, '100'))
    await run(customer, sql`select public.amend_expense(${id}, '{"amount": 4, "description": "Pan"}')`)
    for (const each of [id, removed]) {
      await run(customer, remove(each))
      await run(customer, sql`select public.restore_transaction(${each})`)
    }

    expect(await originOf(customer, id)).toEqual({ origin: 'own', origin_id: null })
    expect(await originOf(customer, removed)).toEqual({ origin: 'clerk', origin_id: removed })
    expect(await journalOf(customer)).toEqual([
      { origin: 'clerk', origin_id: removed },
      { origin: 'own', origin_id: null },
    ])
    expect((await verifyLedger(bank.database)).broken).toBeNull()
  })

  test.for<[string, SqlStatement]>([
    [
      'origin',
      sql`insert into public.transactions (type, description, amount, origin) values ('expense', 'Pan', 1, 'own')`,
    ],
    [
      'id of an origin',
      sql`insert into public.transactions (type, description, amount, origin_id)
        values ('expense', 'Pan', 1, gen_random_uuid())`,
    ],
    ['origin of an existing transaction', sql`update public.transactions set origin = 'own'`],
    ['id of the origin of an existing transaction', sql`update public.transactions set origin_id = null`],
  ])('is never set by a customer: %s', async ([, statement]) => {
    await record(customer, expense(customer, '3'))

    await expect(run(customer, statement)).rejects.toMatchObject({ sqlState: '42501' })
  })

  test('decides who recorded a transaction, even for the owner of the database', async () => {
    await expect(
      bank.owner.query(sql`
        insert into public.transactions (user_id, type, description, amount, recorded_by)
        values (${customer.id}, 'deposit', 'Nómina', 1, 'bank')`),
    ).rejects.toMatchObject({ sqlState: '23514', constraint: 'transactions_recorder_is_of_the_origin' })
  })

  test.for([
    ['origin', `set origin = 'batch'`],
    ['id of the origin', 'set origin_id = gen_random_uuid()'],
  ])('is compared with the journal: the verification finds a changed %s', async ([, change]) => {
    const other = await bank.addCustomer()
    await record(bank.administrator, deposit(other, '100'))
    const undo = `update public.transactions set origin = 'clerk', origin_id = id where user_id = '${other.id}'`
    await runWithoutTriggers(bank, `update public.transactions ${change} where user_id = '${other.id}'`)

    const { broken } = await verifyLedger(bank.database)

    await runWithoutTriggers(bank, undo)
    expect(broken).toEqual({ customerId: other.id, seq: 1, fault: 'transaction' })
    expect((await verifyLedger(bank.database)).broken).toBeNull()
  })
})

test('both sides of a transfer and of its return have the transfer as their origin, and name no person', async () => {
  const { payer, payee, beneficiary } = await addPair(bank)
  const { id } = await request(payer, beneficiary, '50')
  await returnTransfer(bank.administrator, id)

  for (const person of [payer, payee])
    expect((await originsOf(person)).filter(({ origin }) => origin !== 'clerk')).toEqual([
      { origin: 'transfer', origin_id: id },
      { origin: 'return', origin_id: id },
    ])
})

test('the id of an origin is never the id of a person', async () => {
  const people = await bank.owner.query(sql`
    select t.origin from public.transactions t join auth.users u on u.id = t.origin_id
    union all
    select j.origin from ledger.journal j join auth.users u on u.id = j.origin_id`)

  expect(people).toEqual([])
})

test('a deposit that the bank corrects while the customer restores it is void', async () => {
  for (let round = 0; round < 10; round += 1) {
    const customer = await bank.addCustomer()
    const mistake = await record(bank.administrator, deposit(customer, '100'))
    await run(customer, remove(mistake))

    await Promise.all([
      run(bank.administrator, correct(customer, mistake)),
      run(customer, sql`select public.restore_transaction(${mistake})`),
    ])

    expect(await run(customer, sql`select id from public.transactions where not is_void`)).toEqual([])
  }
})

test('every correction of a correction makes the mistake void or valid again, everywhere at once', async () => {
  const customer = await bank.addCustomer()
  const mistake = await record(bank.administrator, deposit(customer, '100'))
  const states: unknown[] = []
  let latest = mistake
  for (let round = 0; round < 4; round += 1) {
    latest = await record(bank.administrator, correct(customer, latest))
    const [row] = await run(
      customer,
      sql<{ state: unknown }>`
        select json_build_array(
          t.is_void, t.id = any ((public.explain_balance()).void_ids), (public.receipt(t.id)).state,
          (public.receipt(${latest})).state, c.makes_void
        ) as state
        from public.transactions t, public.corrections c where t.id = ${mistake} and c.id = ${latest}`,
    )
    states.push(row?.state)
  }

  const [isVoid, isValid] = [
    [true, true, 'corrected', 'correction', true],
    [false, false, 'valid', 'correction', false],
  ]
  expect(states).toEqual([isVoid, isValid, isVoid, isValid])
})
