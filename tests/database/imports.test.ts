import { fileRowsMax, importedOfNewAccountMax, importedPerDayMax } from '@finanzas/contract/limits.ts'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { letPass, partsOfDay, use } from './counters.ts'
import { useBank } from './database.ts'
import {
  type Person,
  ageAccount,
  balanceOf,
  call,
  deposit,
  expense,
  postingsOf,
  record,
  remove,
  run,
} from './people.ts'

const ownPostingsOfNewAccountMax = 100

const bank = useBank()

type Line = Partial<Record<'date' | 'description' | 'category' | 'reference', unknown>> & { amount?: unknown }
type Imported = { id: string; entries: number; amount: number; undone_at: string | null; first_seq: number }

const line = (amount: unknown = 12.5, more: Line = {}): Line => ({
  date: '2026-01-31',
  description: 'PAGO EN ÉXITO',
  category: 'Comida',
  ...more,
  amount,
})
const lines = (count: number) => Array.from({ length: count }, () => line(0.01))
const importLines = (person: Person, rows: unknown, id: string = crypto.randomUUID()) =>
  call<Imported>(person, sql`public.import_transactions(${id}, ${JSON.stringify(rows)}::json)`)
const undo = (person: Person, id: string) => call<Imported>(person, sql`public.undo_import(${id})`)
const listed = (person: Person) =>
  run(
    person,
    sql`select type, description, amount::text, category, recorded_by,
               to_char(date at time zone 'America/Bogota', 'YYYY-MM-DD HH24:MI') as date
        from public.transactions order by date, amount`,
  )
const postings = (person: Person) => postingsOf(bank.owner, person)
async function refusal(attempt: Promise<unknown>): Promise<{ sqlState: string; detail: string | null }> {
  return attempt.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as { sqlState: string; detail: string | null },
  )
}

test('an import records each line as the customer’s own expense at noon and posts it', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))

  const imported = await importLines(customer, [
    line(12.5),
    line(0.25, { date: '2026-02-01', category: null }),
  ])

  expect(imported).toMatchObject({ entries: 2, amount: 12.75, undone_at: null, first_seq: 2 })
  const common = { type: 'expense', description: 'PAGO EN ÉXITO', recorded_by: 'customer' }
  expect(await listed(customer)).toEqual([
    { ...common, amount: '12.5', category: 'Comida', date: '2026-01-31 12:00' },
    { ...common, amount: '0.25', category: null, date: '2026-02-01 12:00' },
    expect.objectContaining({ type: 'deposit' }),
  ])
  expect(await postings(customer)).toEqual(['deposit 100', 'note -12.5', 'note -0.25'])
  expect(await balanceOf(customer)).toBe('87.25')
})

test('expenses of one day keep the order of the import in the history and in the statement', async () => {
  const customer = await bank.addCustomer()
  await run(bank.administrator, deposit(customer, '100'))
  const words = Array.from({ length: 40 }, (_, place) => `fila ${place + 1}`)

  await importLines(
    customer,
    words.map((description) => line(0.5, { description })),
  )

  const history = await run(
    customer,
    sql`select description from public.transactions where type = 'expense' order by date desc, id desc`,
  )
  const journal = await bank.owner.query(
    sql`select t.description from ledger.journal j join public.transactions t on t.id = j.transaction_id
        where j.user_id = ${customer.id} and t.type = 'expense' order by j.seq`,
  )
  expect(history.map(({ description }) => description)).toEqual(words.toReversed())
  expect(journal.map(({ description }) => description)).toEqual(words)
})

test('the date of an expense imported for today is not in the future', async () => {
  const customer = await bank.addCustomer()
  const [clock] = await bank.owner.query(
    sql<{ today: string }>`select to_char(now() at time zone 'America/Bogota', 'YYYY-MM-DD') as today`,
  )

  await importLines(customer, [line(1, { date: clock?.today })])

  expect(await run(customer, sql`select date <= now() as is_past from public.transactions`)).toEqual([
    { is_past: true },
  ])
})

test('an import that is sent again gets the same answer and does not add postings', async () => {
  const customer = await bank.addCustomer()
  const first = await importLines(customer, lines(3))

  const [again, atOnce] = await Promise.all([1, 2].map(() => importLines(customer, lines(3), first.id)))

  expect([again, atOnce]).toEqual([first, first])
  expect(await postings(customer)).toHaveLength(3)
})

test('a customer cannot reuse an id for different lines, but another customer can use the same id', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const { id } = await importLines(customer, lines(3))

  await expect(importLines(customer, lines(2), id)).rejects.toMatchObject({ sqlState: 'PT409' })
  await importLines(other, lines(2), id)

  expect([await postings(customer), await postings(other)].map(({ length }) => length)).toEqual([3, 2])
})

test.for<[string, Line]>([
  ['a date that does not exist', { date: '2026-04-31' }],
  ['a date in the future', { date: '2999-01-01' }],
  ['a date eleven years ago', { date: `${new Date().getFullYear() - 11}-01-01` }],
  ['a time in place of a date', { date: '2026-01-31T10:00:00Z' }],
  ['no day', { date: null }],
  ['no amount', { amount: null }],
  ['an amount as text', { amount: '12.50' }],
  ['an amount of zero', { amount: 0 }],
  ['a negative amount', { amount: -1 }],
  ['a fraction of a hundredth', { amount: 0.005 }],
  ['no description', { description: null }],
  ['a description of two lines', { description: 'uno\ndos' }],
  ['a description that reverses the writing direction', { description: 'abc\u202Egnp' }],
  ['a description of 201 characters', { description: 'a'.repeat(201) }],
  ['a category of 51 characters', { category: 'a'.repeat(51) }],
  ['a reference of two lines', { reference: 'uno\ndos' }],
  ['a reference of 101 characters', { reference: 'a'.repeat(101) }],
])('an import with %s in a line is refused as a whole, with the number of the line', async ([, fault]) => {
  const customer = await bank.addCustomer()

  const { sqlState, detail } = await refusal(importLines(customer, [line(), { ...line(), ...fault }, line()]))

  expect(sqlState).toBe('PT422')
  expect(JSON.parse(detail ?? '')).toEqual([{ line: 2, message: expect.stringMatching(/\S/) }])
  expect([await listed(customer), await postings(customer), await balanceOf(customer)]).toEqual([[], [], '0'])
  expect(await run(customer, sql`select from public.imports`)).toEqual([])
})

test('an import needs no value for a column that its lines do not contain', async () => {
  const customer = await bank.addCustomer()
  await bank.owner.query(
    sql`alter table public.transactions add column extra text constraint extra_is_short check (char_length(extra) <= 5)`,
  )
  onTestFinished(async () => {
    await bank.owner.query(sql`alter table public.transactions drop column extra`)
  })

  await run(
    customer,
    sql`select public.import_transactions(${crypto.randomUUID()}, '[{"date": "2026-11-02", "description": "Pan", "amount": 5}]')`,
  )

  expect(await postingsOf(bank.owner, customer)).toEqual(['note -5'])
})

test('the refusal of an import lists at most a hundred invalid lines', async () => {
  const customer = await bank.addCustomer()

  const { detail } = await refusal(
    importLines(
      customer,
      Array.from({ length: 150 }, () => line(-1)),
    ),
  )

  expect((JSON.parse(detail ?? '') as { line: number }[]).map(({ line: number }) => number)).toEqual(
    Array.from({ length: 100 }, (_, index) => index + 1),
  )
})

test.for<[string, unknown]>([
  ['no line', []],
  ['more lines than one import may have', lines(fileRowsMax + 1)],
  ['no list', { date: '2026-01-01' }],
])('an import of %s is refused', async ([, rows]) => {
  const customer = await bank.addCustomer()

  await expect(importLines(customer, rows)).rejects.toMatchObject({ sqlState: 'PT413' })
})

test.for(['1', 'null', '[]'])('a line that is %s is refused', async (line) => {
  const customer = await bank.addCustomer()

  await expect(importLines(customer, [JSON.parse(line)])).rejects.toMatchObject({ sqlState: 'PT422' })
})

test('unknown keys of a line are ignored even if they contain huge numbers', async () => {
  const customer = await bank.addCustomer()
  const numbers = Array.from({ length: 9000 }, (_, index) => `"key${index}":1e131071`).join()
  const text = `[${JSON.stringify(line(1)).slice(0, -1)},${numbers}}]`
  const imported = sql`select entries from public.import_transactions(${crypto.randomUUID()}, ${text})`

  expect(await run(customer, imported)).toEqual([{ entries: 1 }])
  expect(await run(customer, imported)).toEqual([{ entries: 1 }])
})

test('imported expenses do not count towards the limit for expenses that a customer records individually', async () => {
  const customer = await bank.addCustomer()
  // Adds more journal entries than the limit for expenses allows. These entries do not count towards that limit.
  for (let count = 0; count < 5; count += 1) await run(bank.administrator, deposit(customer, '1'))
  const { id } = await importLines(customer, lines(300))
  await undo(customer, id)
  await importLines(customer, lines(200))
  for (let count = 0; count < ownPostingsOfNewAccountMax; count += 1)
    await run(customer, expense(customer, '1'))

  await expect(run(customer, expense(customer, '1'))).rejects.toMatchObject({ sqlState: 'PT429' })
})

test('a customer cannot import more lines than the 24-hour limit', async () => {
  const customer = await bank.addCustomer()
  const { id } = await importLines(customer, lines(1))
  await undo(customer, id)
  await use(bank, 'imported line', customer.id, importedOfNewAccountMax - 1)
  await letPass(bank, 'imported line', customer.id, partsOfDay)
  const { sqlState, detail } = await refusal(importLines(customer, lines(1)))
  expect(sqlState).toBe('PT429')
  expect(detail).toMatch(/^Retry-After: \d{1,4}$/)

  await ageAccount(bank.owner, customer)
  await use(bank, 'imported line', customer.id, importedPerDayMax - importedOfNewAccountMax - 1)
  await importLines(customer, lines(1))
  await expect(importLines(customer, lines(1))).rejects.toMatchObject({ sqlState: 'PT429' })

  await letPass(bank, 'imported line', customer.id, 1)
  await importLines(customer, lines(1))
})

test('an import can be undone only once, and the undo deletes only the remaining transactions of the import', async () => {
  const customer = await bank.addCustomer()
  await run(customer, expense(customer, '5'))
  const { id } = await importLines(customer, [
    line(30, { date: '2026-01-03' }),
    line(20, { date: '2026-01-02' }),
    line(10, { date: '2026-01-01' }),
  ])
  const [deleted] = await run(
    customer,
    sql<{ id: string }>`select id from public.transactions where amount = 20`,
  )
  await run(customer, remove(deleted?.id ?? ''))
  const later = await record(customer, expense(customer, '7'))

  const undone = await undo(customer, id)
  const again = await undo(customer, id)

  expect(undone.undone_at).not.toBeNull()
  expect(again).toEqual(undone)
  expect((await listed(customer)).map((row) => (row as { amount: string }).amount)).toEqual(['5', '7'])
  expect(later).not.toBe('')
  expect((await postings(customer)).slice(4)).toEqual([
    'reversal 20',
    'note -7',
    'reversal 10',
    'reversal 30',
  ])
  expect(await balanceOf(customer)).toBe('-12')
})

const origins = (person: Person) =>
  run(
    person,
    sql`select l.date::text, l.amount::text, l.description, l.reference,
               (select t.description from public.transactions t where t.id = l.transaction_id) as present
        from public.import_lines l order by l.amount`,
  )

test('an import keeps the original description of a renamed transaction', async () => {
  const customer = await bank.addCustomer()
  await importLines(customer, [line(10, { reference: 'A-1' }), line(20, { date: '2026-02-01' })])
  await run(customer, sql`update public.transactions set description = 'Mercado' where amount = 10`)

  expect(await origins(customer)).toEqual([
    { date: '2026-01-31', amount: '10', description: 'PAGO EN ÉXITO', reference: 'A-1', present: 'Mercado' },
    {
      date: '2026-02-01',
      amount: '20',
      description: 'PAGO EN ÉXITO',
      reference: null,
      present: 'PAGO EN ÉXITO',
    },
  ])
})

test('the original line of a deleted imported transaction loses only its description, after a day', async () => {
  const customer = await bank.addCustomer()
  await importLines(customer, [line(10, { reference: 'A-1' }), line(20)])
  const purge = () => bank.asService(sql`select private.purge_expired(500)`)
  await run(customer, sql`delete from public.transactions`)
  await bank.owner.query(sql`
    update ledger.deleted_transactions set deleted_at = now() - interval '25 hours' where "row" ->> 'amount' = '10'`)

  await purge()

  const gone = { date: '2026-01-31', amount: '10', description: null, reference: 'A-1', present: null }
  expect(await origins(customer)).toEqual([gone, expect.objectContaining({ description: 'PAGO EN ÉXITO' })])
})

test('a restored imported transaction has its original description again', async () => {
  const customer = await bank.addCustomer()
  await importLines(customer, [line(10)])
  const [row] = await run(customer, sql<{ id: string }>`delete from public.transactions returning id`)

  await run(customer, sql`select public.restore_transaction(${row?.id ?? ''})`)

  expect(await origins(customer)).toMatchObject([{ description: 'PAGO EN ÉXITO', present: 'PAGO EN ÉXITO' }])
})

test('undoing an import deletes its original lines', async () => {
  const customer = await bank.addCustomer()
  const { id } = await importLines(customer, lines(3))
  await importLines(customer, [line(7)])

  await undo(customer, id)

  expect(await origins(customer)).toMatchObject([{ amount: '7' }])
})

test('an undone import is not restored if it is sent again', async () => {
  const customer = await bank.addCustomer()
  const { id } = await importLines(customer, lines(3))
  const undone = await undo(customer, id)

  expect(await importLines(customer, lines(3), id)).toEqual(undone)
  expect(await listed(customer)).toEqual([])
})

test('undoing another customer’s import gets the same answer as undoing an unknown import', async () => {
  const [customer, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const { id } = await importLines(customer, lines(3))

  for (const each of [id, crypto.randomUUID()])
    await expect(undo(other, each)).rejects.toMatchObject({ sqlState: 'PT404' })

  expect(await listed(customer)).toHaveLength(3)
  expect(await run(other, sql`select from public.imports`)).toEqual([])
})

test('the verification of the journal finds no error after an import', async () => {
  const customer = await bank.addCustomer()
  const { id } = await importLines(customer, lines(500))
  await undo(customer, id)

  expect(
    await bank.owner.query(sql`
      select e.fault as entry, b.fault as balance
      from ledger.check_entries(null, null, 1000000) e, ledger.check_balances(null, 1000000) b`),
  ).toEqual([{ entry: null, balance: null }])
})

test('open pages receive one realtime event for a whole import', async () => {
  const customer = await bank.addCustomer()
  const { id } = await importLines(customer, lines(50))
  await undo(customer, id)
  await run(customer, expense(customer, '1'))

  const heard = await bank.owner.query(sql`
    select table_name || ' ' || operation as change from realtime.outbox
    where coalesce(record, old_record) ->> 'user_id' = ${customer.id} order by seq`)
  expect(heard.map((row) => (row as { change: string }).change)).toEqual([
    'budgets INSERT',
    'budgets UPDATE',
    'imports INSERT',
    'budgets UPDATE',
    'imports UPDATE',
    'transactions INSERT',
    'budgets UPDATE',
  ])
})
