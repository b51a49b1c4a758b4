// Customers can edit the description and category of their transactions, and the amount and date of the expenses that
// they recorded. Each change adds entries to their journal. The authorization matrix tests that other users cannot
// edit these transactions.
import { randomUUID } from 'node:crypto'
import { ownBalanceMin } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { useBank } from './database.ts'
import { type Person, balanceOf, deposit, expense, postingsOf, record, remove, run } from './people.ts'

const bank = useBank()

type Words = { description?: string; category?: string | null }
const edit = (id: string, { description, category }: Words): SqlStatement<{ id: string }> =>
  category === undefined
    ? sql`update public.transactions set description = ${description ?? null} where id = ${id} returning id`
    : sql`update public.transactions set category = ${category}, description = coalesce(${description ?? null}, description)
          where id = ${id} returning id`
type Amended = { amount?: string; date?: string; description?: string; category?: string | null }
const amend = (id: string, changes: Amended): SqlStatement<Amended> => sql`
  select amount::text, date::text, description, category
  from public.amend_expense(${id}, ${JSON.stringify(changes)})`
const day = '2026-11-02 12:00:00+00'
const restore = (id: string) => sql`select public.restore_transaction(${id})`

const wordsOf = (person: Person) =>
  run(person, sql<Words>`select description, category from public.transactions order by id`)
const editsOf = (person: Person) =>
  run(person, sql`select seq, transaction_id, before, after from public.transaction_edits order by seq`)

/**
 * Adds a customer with one transaction. The transaction is either the customer's own expense `Café` in the category
 * `Comida`, or a bank deposit `Nómina`.
 */
async function customerWith(kind: 'own expense' | 'bank deposit') {
  const customer = await bank.addCustomer()
  const id =
    kind === 'own expense'
      ? await record(customer, expense(customer, '40.25'))
      : await record(bank.administrator, deposit(customer, '100'))
  return { customer, id }
}

test('an edit adds a journal entry with amount zero and the values before and after the edit', async () => {
  const { customer, id } = await customerWith('own expense')

  await run(customer, edit(id, { description: 'Café con Ana', category: 'Otro' }))
  await run(customer, edit(id, { category: null }))

  expect(await wordsOf(customer)).toEqual([{ description: 'Café con Ana', category: null }])
  expect(await balanceOf(customer)).toBe('-40.25')
  expect(await postingsOf(bank.owner, customer)).toEqual(['note -40.25', 'edit 0', 'edit 0'])
  expect(await editsOf(customer)).toEqual([
    {
      seq: 2,
      transaction_id: id,
      before: { description: 'Café', category: 'Comida' },
      after: { description: 'Café con Ana', category: 'Otro' },
    },
    {
      seq: 3,
      transaction_id: id,
      before: { description: 'Café con Ana', category: 'Otro' },
      after: { description: 'Café con Ana', category: null },
    },
  ])
})

test('an edit of several transactions adds one entry for each transaction, ordered by date', async () => {
  const customer = await bank.addCustomer()
  const ids: string[] = []
  for (const days of [1, 3, 2])
    ids[days] = await record(
      customer,
      sql`insert into public.transactions (user_id, type, description, amount, date)
          values (${customer.id}, 'expense', 'Café', 1, now() - ${`${days} days`}::interval) returning id`,
    )

  await run(customer, sql`update public.transactions set category = 'Comida'`)

  expect(await editsOf(customer)).toMatchObject(
    [3, 2, 1].map((days, index) => ({
      seq: 4 + index,
      transaction_id: ids[days],
      after: { description: 'Café', category: 'Comida' },
    })),
  )
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('an edit that does not change a value is not recorded', async () => {
  const { customer, id } = await customerWith('own expense')

  const answered = await run(customer, edit(id, { description: 'Café', category: 'Comida' }))

  expect(answered).toEqual([{ id }])
  expect([await postingsOf(bank.owner, customer), await editsOf(customer)]).toEqual([['note -40.25'], []])
})

test('an edit can change the category of a bank transaction but not its description', async () => {
  const { customer, id } = await customerWith('bank deposit')

  await run(customer, edit(id, { category: 'Salud' }))

  await expect(run(customer, edit(id, { description: 'Premio' }))).rejects.toMatchObject({
    sqlState: '42501',
    message: 'La descripción es la del banco y no se puede cambiar.',
  })
  expect(await wordsOf(customer)).toEqual([{ description: 'Nómina', category: 'Salud' }])
  expect(await postingsOf(bank.owner, customer)).toEqual(['deposit 100', 'edit 0'])
})

test('an edit does not count towards the daily limit of postings', async () => {
  const { customer, id } = await customerWith('own expense')
  for (let count = 1; count <= 100; count += 1)
    await run(customer, edit(id, { description: `Café ${count}` }))

  for (let count = 1; count < 100; count += 1) await run(customer, expense(customer, '1'))

  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject({ sqlState: 'PT429' })
  await run(customer, edit(id, { description: 'Café con Ana' }))
})

/** Adds a customer who has recorded the expense `Café` with the amount 40.25 on `day`. */
async function customerOnDay() {
  const customer = await bank.addCustomer()
  const id = await record(
    customer,
    sql`insert into public.transactions (user_id, type, description, amount, category, date)
        values (${customer.id}, 'expense', 'Café', 40.25, 'Comida', ${day}) returning id`,
  )
  return { customer, id }
}

test('a correction of an amount or date reverses the old posting and adds a new one, and the row keeps its id', async () => {
  const { customer, id } = await customerOnDay()

  const answered = await run(customer, amend(id, { amount: '4.025', date: '2026-10-31 12:00+00' })).catch(
    ({ sqlState }: { sqlState: string }) => sqlState,
  )
  const [row] = await run(customer, amend(id, { amount: '4.03', date: '2026-10-31 12:00+00' }))

  expect([answered, row?.amount]).toEqual(['23514', '4.03'])
  expect(await run(customer, sql`select id, amount::text from public.transactions`)).toEqual([
    { id, amount: '4.03' },
  ])
  expect(await balanceOf(customer)).toBe('-4.03')
  expect(
    await run(customer, sql`select kind, delta::text, dated_at::date::text from public.journal_entries`),
  ).toEqual([
    { kind: 'note', delta: '-40.25', dated_at: '2026-11-02' },
    { kind: 'reversal', delta: '40.25', dated_at: '2026-11-02' },
    { kind: 'amendment', delta: '-4.03', dated_at: '2026-10-31' },
  ])
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('a correction of an amount or date can change the description in the same database transaction', async () => {
  const { customer, id } = await customerOnDay()

  await run(customer, amend(id, { amount: '4', description: 'Café con Ana', category: null }))

  expect(await wordsOf(customer)).toEqual([{ description: 'Café con Ana', category: null }])
  expect(await postingsOf(bank.owner, customer)).toEqual([
    'note -40.25',
    'reversal 40.25',
    'amendment -4',
    'edit 0',
  ])
})

test('a correction of an amount or date takes effect only once even if the customer sends it again', async () => {
  const { customer, id } = await customerOnDay()

  const [first, again] = await Promise.all([1, 2].map(() => run(customer, amend(id, { amount: '4' }))))

  expect(again).toEqual(first)
  expect(await postingsOf(bank.owner, customer)).toEqual(['note -40.25', 'reversal 40.25', 'amendment -4'])
})

test('a customer can change a date back to its first value, even if a new expense could not have that date', async () => {
  const { customer, id } = await customerOnDay()
  await run(customer, amend(id, { amount: '4', date: '2026-10-31 12:00+00' }))
  await bank.owner.query(sql`
    select ledger.post_all(${customer.id}, array[
      row('reversal', 'own', null, ${id}, 4, '2010-01-01')::ledger.posting,
      row('amendment', 'own', null, ${id}, -4, '2010-01-01')::ledger.posting])`)

  await run(customer, amend(id, { amount: '40.25', date: '2010-01-01' }))

  expect(await balanceOf(customer)).toBe('-40.25')
  await expect(run(customer, amend(id, { date: '2010-01-02' }))).rejects.toMatchObject({
    sqlState: '23514',
    message: 'La fecha debe estar entre hace diez años y mañana.',
  })
})

test('a correction of an amount or date is refused for bank transactions and for unknown rows', async () => {
  const { customer, id } = await customerWith('bank deposit')

  await expect(run(customer, amend(id, { amount: '1' }))).rejects.toMatchObject({
    sqlState: 'PT403',
    message: 'Lo registró el banco.',
  })
  const other = await customerOnDay()
  for (const gone of [randomUUID(), other.id])
    await expect(run(customer, amend(gone, { amount: '1' }))).rejects.toMatchObject({ sqlState: 'PT404' })
  expect(await balanceOf(other.customer)).toBe('-40.25')
})

test.for([
  ['a day after tomorrow', { date: '2999-01-01' }],
  ['a date without end', { date: 'infinity' }],
] as const)('a correction of the date to %s is refused', async ([, values]) => {
  const { customer, id } = await customerOnDay()

  await expect(run(customer, amend(id, values))).rejects.toMatchObject({ sqlState: '23514' })

  expect(await postingsOf(bank.owner, customer)).toEqual(['note -40.25'])
})

test('a correction of an amount or date is refused without a write if the balance would fall below the minimum', async () => {
  const { customer, id } = await customerOnDay()
  await run(customer, expense(customer, '999999999959.75'))

  await expect(run(customer, amend(id, { amount: '40.26' }))).rejects.toMatchObject({ sqlState: 'FZ402' })

  expect(await balanceOf(customer)).toBe(ownBalanceMin.toFixed(2))
  await run(customer, amend(id, { amount: '40.24' }))
})

test('a correction of an amount or date counts towards the daily limit of postings', async () => {
  const { customer, id } = await customerOnDay()
  for (let count = 1; count <= 199; count += 1) await run(customer, amend(id, { amount: String(count) }))

  await expect(run(customer, amend(id, { amount: '40.25' }))).rejects.toMatchObject({ sqlState: 'PT429' })
  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject({ sqlState: 'PT429' })
})

test('a correction of an amount or date does not change values that the call omits', async () => {
  const { customer, id } = await customerOnDay()

  const cheaper = await run(customer, amend(id, { amount: '4' }))
  const uncategorized = await run(customer, amend(id, { category: null }))

  expect(cheaper).toEqual([{ amount: '4', date: day, description: 'Café', category: 'Comida' }])
  expect(uncategorized).toEqual([{ amount: '4', date: day, description: 'Café', category: null }])
  expect(await postingsOf(bank.owner, customer)).toEqual([
    'note -40.25',
    'reversal 40.25',
    'amendment -4',
    'edit 0',
  ])
})

test.for([
  ['a list', []],
  ['no object', null],
  ['an unknown column', { colour: 'rojo' }],
  ['the id', { id: randomUUID() }],
  ['the owner', { user_id: randomUUID() }],
  ['the type', { type: 'deposit' }],
  ['the recorder', { recorded_by: 'bank' }],
  ['the origin', { origin: 'transfer' }],
  ['the mark of a void transaction', { is_void: true }],
  ['no amount', { amount: null }],
  ['no date', { date: null }],
  ['no description', { description: null }],
  ['an amount that is no number', { amount: 'NaN' }],
  ['an amount without end', { amount: 'Infinity' }],
  ['a list as the amount', { amount: [5] }],
  ['a number as the date', { date: 2026 }],
  ['a number as the description', { description: 5 }],
  ['an object as the category', { category: { name: 'Comida' } }],
  ['a valid amount beside an unknown column', { amount: 5, colour: 'rojo' }],
] as const)('a correction with %s is refused', async ([, changes]) => {
  const { customer, id } = await customerOnDay()
  const rows = () => run(customer, sql`select * from public.transactions`)
  const before = await rows()

  await expect(
    run(customer, sql`select public.amend_expense(${id}, ${JSON.stringify(changes)})`),
  ).rejects.toMatchObject({ sqlState: 'PT422' })

  expect(await rows()).toEqual(before)
})

test.for([
  ['an amount of zero', { amount: '0' }],
  ['a negative amount', { amount: '-1' }],
  ['an amount above the maximum', { amount: '1000000000000' }],
  ['a description that is too long', { description: 'a'.repeat(201) }],
  ['a description of two lines', { description: 'Café\nPan' }],
  ['an empty category', { category: '' }],
  ['a category that is too long', { category: 'a'.repeat(51) }],
] as const)('a correction with %s is refused as in a new expense', async ([, changes]) => {
  const { customer, id } = await customerOnDay()

  await expect(run(customer, amend(id, changes))).rejects.toMatchObject({ sqlState: '23514' })

  expect(await postingsOf(bank.owner, customer)).toEqual(['note -40.25'])
})

test('a customer can write exactly the columns that an edit stores', async () => {
  const [stored] = await bank.owner.query(
    sql`select array(select jsonb_object_keys(private.editable(null)) order by 1) as columns`,
  )
  const [granted] = await bank.owner.query(sql`
    select array_agg(p.column_name::text order by p.column_name) as columns from information_schema.column_privileges p
    where p.grantee = 'authenticated' and p.privilege_type = 'UPDATE'
      and p.table_schema = 'public' and p.table_name = 'transactions'`)

  expect(stored).toEqual(granted)
})

test('a correction of an amount or date is still in effect after the expense was deleted and restored', async () => {
  const { customer, id } = await customerOnDay()
  await run(customer, amend(id, { amount: '4' }))
  await run(customer, remove(id))

  await run(customer, restore(id))

  expect(Number(await balanceOf(customer))).toBe(-4)
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test('undoing an import also undoes corrections of its expenses', async () => {
  const customer = await bank.addCustomer()
  const [imported, rows] = [
    randomUUID(),
    ['Café', 'Pan'].map((description) => ({ date: '2026-11-02', description, amount: 5 })),
  ]
  await run(customer, sql`select public.import_transactions(${imported}, ${JSON.stringify(rows)})`)
  const [bread] = await run(
    customer,
    sql<{ id: string }>`select id from public.transactions where description = 'Pan'`,
  )
  await run(customer, amend(bread?.id ?? '', { amount: '7', description: 'Pan', category: null }))
  expect(await balanceOf(customer)).toBe('-12')
  expect(
    await run(customer, sql`select amount::text from public.import_lines where description = 'Pan'`),
  ).toEqual([{ amount: '5' }])

  await run(customer, sql`select public.undo_import(${imported})`)

  expect([await balanceOf(customer), await wordsOf(customer)]).toEqual(['0', []])
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})

test.for([
  ['date', "now() - interval '1 hour'", 'bank deposit'],
  ['type', "'deposit'", 'own expense'],
  ['id', 'gen_random_uuid()', 'own expense'],
  ['user_id', '(select user_id from public.budgets where user_id <> t.user_id limit 1)', 'own expense'],
  ['recorded_by', "'bank'", 'own expense'],
  ['origin', "'recurring'", 'own expense'],
  ['origin_id', 'gen_random_uuid()', 'bank deposit'],
] as const)('even the owner cannot change the %s to %s for an existing %s', async ([column, value, kind]) => {
  const { id } = await customerWith(kind)
  const update = { text: `update public.transactions t set ${column} = ${value} where id = $1`, values: [id] }

  await expect(bank.owner.query(update)).rejects.toMatchObject({
    sqlState: '42501',
    message: 'Este dato del movimiento no se puede cambiar.',
  })
})

test('a customer can delete and restore an edited transaction with its last description and its edits', async () => {
  const { customer, id } = await customerWith('own expense')
  await run(customer, edit(id, { description: 'Café con Ana', category: 'Otro' }))
  await run(customer, remove(id))

  await run(customer, restore(id))
  await run(customer, edit(id, { description: 'Café' }))

  expect(await wordsOf(customer)).toEqual([{ description: 'Café', category: 'Otro' }])
  expect(await postingsOf(bank.owner, customer)).toEqual([
    'note -40.25',
    'edit 0',
    'reversal 40.25',
    'restoration -40.25',
    'edit 0',
  ])
  expect(await editsOf(customer)).toHaveLength(2)
})

test('a customer can remove and restore an edited bank transaction, and the ledger still verifies', async () => {
  const { customer, id } = await customerWith('bank deposit')
  await run(customer, edit(id, { category: 'Salud' }))
  await run(customer, remove(id))
  expect((await verifyLedger(bank.database)).broken).toBeNull()

  await run(customer, restore(id))
  await run(customer, edit(id, { category: null }))

  expect((await verifyLedger(bank.database)).broken).toBeNull()
  expect(await balanceOf(customer)).toBe('100')
})

test('a transaction that is edited and deleted at the same moment keeps its last description', async () => {
  const customer = await bank.addCustomer()
  for (let round = 0; round < 10; round += 1) {
    const id = await record(customer, expense(customer, '1'))

    const [edited] = await Promise.all([
      run(customer, edit(id, { description: 'Otra cosa' })),
      run(customer, remove(id)),
    ])

    await run(customer, restore(id))
    const [row] = await run(
      customer,
      sql<Words>`select description from public.transactions where id = ${id}`,
    )
    expect(row).toEqual({ description: edited.length === 1 ? 'Otra cosa' : 'Café' })
  }
  expect((await verifyLedger(bank.database)).broken).toBeNull()
})
