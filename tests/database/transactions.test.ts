import { expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, balanceOf, deposit, expense, postingsOf, record, remove, run } from './people.ts'

const bank = useBank()

const rowsOf = (person: Person) => run(person, sql`select * from public.transactions order by id`)
/** Returns a statement that inserts an expense with the given description or date. */
const expenseWith = (person: Person, { description = 'Café', date = 'now()' }) => ({
  text: `insert into public.transactions (user_id, type, description, amount, date) values ($1, 'expense', $2, 1, ${date})`,
  values: [person.id, description],
})

test('a reading request cannot write', async () => {
  const customer = await bank.addCustomer()

  await expect(
    bank.database.transaction(customer.as('read'), [expense(customer, '1')]),
  ).rejects.toMatchObject({ sqlState: '25006' })
})

test('an administrator’s transaction is recorded exactly and marked as recorded by the bank', async () => {
  const customer = await bank.addCustomer()

  await run(bank.administrator, deposit(customer, '1250000.50'))

  expect(await rowsOf(customer)).toMatchObject([
    { type: 'deposit', amount: '1250000.50', recorded_by: 'bank' },
  ])
  expect(await balanceOf(customer)).toBe('1250000.50')
})

test.for([
  ['0', '23514'],
  ['-1', '23514'],
  ['0.001', '23514'],
  ['0.005', '23514'],
  ['12.345', '23514'],
  ['1000000000000', '23514'],
  ['1e13', '23514'],
  ['NaN', '23514'],
  ['Infinity', '23514'],
  ['-Infinity', '23514'],
  ['', '22P02'],
  ['abc', '22P02'],
  ['٣', '22P02'],
] as const)('an amount of %j is refused and the balance does not change', async ([amount, sqlState]) => {
  const customer = await bank.addCustomer()

  await expect(run(customer, expense(customer, amount))).rejects.toMatchObject({ sqlState })

  expect([await rowsOf(customer), await balanceOf(customer)]).toEqual([[], '0'])
})

test.for(['0.01', '999999999999.99', '1e3', '5.10'])(
  'an amount of %j is recorded exactly',
  async (amount) => {
    const customer = await bank.addCustomer()

    await run(customer, expense(customer, amount))

    expect(Number(await balanceOf(customer))).toBe(-Number(amount))
  },
)

test.for([
  ['an empty description', ''],
  ['a description of blanks', '  '],
  ['a description of 201 characters', 'a'.repeat(201)],
  ['a description of two lines', 'uno\ndos'],
  ['a description with a Unicode line separator', 'uno\u2028dos'],
  ['a description of invisible characters', '\u200B\u200B'],
  ['a description of a Hangul filler', '\u3164'],
  ['a description that reverses the writing direction', 'abc\u202Egnp'],
  ['a description that is not NFC', 'Cafe\u0301'],
] as const)('%s is refused', async ([, description]) => {
  const customer = await bank.addCustomer()

  await expect(run(customer, expenseWith(customer, { description }))).rejects.toMatchObject({
    sqlState: '23514',
  })
})

test.for(["now() - interval '11 years'", "now() + interval '2 days'"])(
  'a date of %s is refused',
  async (date) => {
    const customer = await bank.addCustomer()

    await expect(run(customer, expenseWith(customer, { date }))).rejects.toMatchObject({
      sqlState: '23514',
    })
  },
)

type Restored = { row: { id: string } }
const restore = (id: string) =>
  sql<Restored>`select to_jsonb(r) as row from public.restore_transaction(${id}) r`
const keptAside = (person: Person) =>
  bank.owner.query(sql`select from ledger.deleted_transactions where user_id = ${person.id}`)
const age = (id: string) =>
  bank.owner.query(sql`
    update ledger.deleted_transactions set deleted_at = now() - interval '24 hours 1 second' where id = ${id}`)

/** Adds a customer with one transaction that has just been deleted. */
async function customerWithDeleted(kind: 'own expense' | 'bank deposit') {
  const customer = await bank.addCustomer()
  const id =
    kind === 'own expense'
      ? await record(customer, expense(customer, '40.25'))
      : await record(bank.administrator, deposit(customer, '100'))
  const before = await rowsOf(customer)
  await run(customer, remove(id))
  return { customer, id, before }
}

test('a restored expense has its former amount and date and description', async () => {
  const { customer, id, before } = await customerWithDeleted('own expense')
  expect(await balanceOf(customer)).toBe('0.00')

  const [answer] = await run(customer, restore(id))

  expect(answer?.row).toMatchObject({ id, amount: 40.25, recorded_by: 'customer', description: 'Café' })
  expect(await rowsOf(customer)).toEqual(before)
  expect(await balanceOf(customer)).toBe('-40.25')
  expect(await postingsOf(bank.owner, customer)).toEqual([
    'note -40.25',
    'reversal 40.25',
    'restoration -40.25',
  ])
})

test('a restored bank transaction is still marked as the bank’s, and does not change the balance', async () => {
  const { customer, id, before } = await customerWithDeleted('bank deposit')
  expect([await rowsOf(customer), await balanceOf(customer)]).toEqual([[], '100'])

  await run(customer, restore(id))

  expect(await rowsOf(customer)).toEqual(before)
  expect(await balanceOf(customer)).toBe('100')
  expect(await postingsOf(bank.owner, customer)).toEqual(['deposit 100', 'removal 0', 'restoration 0'])
})

test('a restored transaction can be deleted and restored again', async () => {
  const { customer, id, before } = await customerWithDeleted('own expense')
  await run(customer, restore(id))
  await run(customer, remove(id))
  await run(customer, restore(id))

  expect(await rowsOf(customer)).toEqual(before)
  expect(await balanceOf(customer)).toBe('-40.25')
  expect(await keptAside(customer)).toEqual([])
})

test('a restored transaction keeps a date that a new transaction could not have', async () => {
  const { customer, id } = await customerWithDeleted('own expense')
  await bank.owner.query(
    sql`update ledger.deleted_transactions set "row" = "row" || '{"date": "2001-02-03T04:05:06.789Z"}' where id = ${id}`,
  )

  const [answer] = await run(customer, restore(id))

  expect(answer?.row).toMatchObject({ date: '2001-02-03T04:05:06.789+00:00' })
})

test('a restored transaction appears in realtime events as a new row', async () => {
  const { customer, id } = await customerWithDeleted('own expense')

  await run(customer, restore(id))

  const heard = await bank.owner.query(sql`
    select operation, record ->> 'id' as id from realtime.outbox
    where table_name = 'transactions' and coalesce(record, old_record) ->> 'user_id' = ${customer.id} order by seq`)
  expect(heard).toEqual([
    { operation: 'INSERT', id },
    { operation: 'DELETE', id: null },
    { operation: 'INSERT', id },
  ])
})

test('twenty simultaneous requests to restore a transaction post it only once', async () => {
  const { customer, id } = await customerWithDeleted('own expense')

  const answers = await Promise.all(Array.from({ length: 20 }, () => run(customer, restore(id))))

  expect(answers.map(([answer]) => answer?.row.id)).toEqual(Array.from({ length: 20 }, () => id))
  expect(await postingsOf(bank.owner, customer)).toEqual([
    'note -40.25',
    'reversal 40.25',
    'restoration -40.25',
  ])
})

const refusal = { sqlState: 'PT404', message: 'Este movimiento ya no se puede recuperar.' }

test('a customer or administrator who restores another customer’s transaction gets the answer for an unknown id', async () => {
  const { customer, id } = await customerWithDeleted('own expense')

  await expect(run(await bank.addCustomer(), restore(id))).rejects.toMatchObject(refusal)
  await expect(run(bank.administrator, restore(id))).rejects.toMatchObject(refusal)
  await expect(run(customer, restore(crypto.randomUUID()))).rejects.toMatchObject(refusal)
})

test('a customer cannot restore a transaction after 24 hours', async () => {
  const { customer, id } = await customerWithDeleted('own expense')
  await age(id)

  await expect(run(customer, restore(id))).rejects.toMatchObject(refusal)

  expect(await postingsOf(bank.owner, customer)).toEqual(['note -40.25', 'reversal 40.25'])
})

test('a customer cannot restore a transaction by recording a new expense with its id', async () => {
  const { customer, id } = await customerWithDeleted('bank deposit')
  const recordUnderIt = sql`
    insert into public.transactions (user_id, id, type, description, amount)
    values (${customer.id}, ${id}, 'expense', 'Otra cosa', 7)`

  await expect(run(customer, recordUnderIt)).rejects.toMatchObject({ sqlState: '23505' })
  await bank.owner.query(sql`delete from ledger.deleted_transactions where id = ${id}`)
  await expect(run(customer, recordUnderIt)).rejects.toMatchObject({ sqlState: '23505' })

  expect(await postingsOf(bank.owner, customer)).toEqual(['deposit 100', 'removal 0'])
})
