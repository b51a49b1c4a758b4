// The results of public.statement: months of the journal that add up, and the data that verifies an issued statement.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkStatement } from '@finanzas/contract/statement/check.ts'
import { statementCopy } from '@finanzas/contract/statement/copy.ts'
import {
  type Statement,
  type StatementAnswer,
  readWhole,
  statementOf,
} from '@finanzas/contract/statement/statement.ts'
import { sql } from '#server/database/database.ts'
import { totalsOf } from '@finanzas/contract/statement/totals.ts'
import { useBank } from './database.ts'
import { type Person, charge, correct, deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

const statement = async (
  person: Person,
  month: string,
  untilSeq: number | null = null,
  afterSeq: number | null = 0,
): Promise<StatementAnswer> => {
  const [row] = await run(
    person,
    sql<{ answer: StatementAnswer }>`
      select public.statement(${`${month}-01`}::date, ${untilSeq}, ${afterSeq})::jsonb as answer`,
  )
  if (row === undefined) throw new Error('The function answered nothing.')
  return row.answer
}
const issued = { bankName: 'Banco', customer: 'Ana', currency: 'USD', issuedAt: '2026-12-01 09:00' } as const
const check = (given: Statement, answer: StatementAnswer) => checkStatement(given, answer, issued)
const paper = (answer: StatementAnswer): Statement => statementOf(answer, issued, statementCopy.unlisted)
const rename = (id: string, description: string) =>
  sql`update public.transactions set description = ${description} where id = ${id}`
const restore = (id: string) => sql`select public.restore_transaction(${id})`

/** Changes the times of entries, which breaks the chain's hashes. This file does not test them. */
async function bookedAt({ id }: Person, times: Readonly<Record<number, string>>): Promise<void> {
  const superuser = await bank.connectSuperuser()
  await superuser.script(
    Object.entries(times)
      .map(
        ([seq, time]) => `set local session_replication_role = 'replica';
          update ledger.journal set recorded_at = '${time}' where user_id = '${id}' and seq = ${seq};`,
      )
      .join(''),
  )
  await superuser.close()
}

/** Adds a customer with deposits, expenses, an edit, deletions and a restoration from September to November. */
async function customerOfThreeMonths() {
  const customer = await bank.addCustomer()
  const salary = await record(bank.administrator, deposit(customer, '1000.50'))
  const coffee = await record(customer, expense(customer, '0.10'))
  const book = await record(customer, expense(customer, '20'))
  await run(customer, rename(coffee, 'Café con Ana'))
  await run(customer, remove(book))
  await run(customer, remove(salary))
  await run(customer, restore(book))
  await bookedAt(customer, {
    1: '2026-09-15T15:00:00Z',
    // The last moment of September in Bogotá is in October in UTC.
    2: '2026-10-01T04:59:59.999999Z',
    3: '2026-11-01T05:00:00Z',
    4: '2026-11-02T15:00:00Z',
    5: '2026-11-03T15:00:00Z',
    6: '2026-11-04T15:00:00Z',
    7: '2026-12-01T04:59:59Z',
  })
  return { customer, salary, coffee, book }
}

test('a month begins with the closing balance of the previous month and adds up to its own', async () => {
  const { customer } = await customerOfThreeMonths()
  const months = []
  for (const month of ['2026-08', '2026-09', '2026-10', '2026-11', '2026-12'])
    months.push(await statement(customer, month))

  expect(months.map(({ opening, closing }) => [opening, closing])).toEqual([
    [0, 0],
    [0, 1000.4],
    [1000.4, 1000.4],
    [1000.4, 980.4],
    [980.4, 980.4],
  ])
  expect(months.map(({ first_seq, last_seq }) => [first_seq, last_seq])).toEqual([
    [1, 0],
    [1, 2],
    [3, 2],
    [3, 7],
    [8, 7],
  ])
  for (const answer of months) expect(check(paper(answer), answer)).toMatchObject({ holds: true })
})

test('a month has every entry with its balance, except edits', async () => {
  const { customer } = await customerOfThreeMonths()

  const september = await statement(customer, '2026-09')
  const november = await statement(customer, '2026-11')

  expect(september.entries).toMatchObject([
    // The transaction was removed from the list, so its date and description are missing.
    { seq: 1, kind: 'deposit', amount: 1000.5, balance: 1000.5, date: null, description: null },
    {
      seq: 2,
      kind: 'expense',
      amount: -0.1,
      balance: 1000.4,
      description: 'Café con Ana',
      category: 'Comida',
    },
  ])
  expect(november.entries.map(({ seq, kind, amount }) => [seq, kind, amount])).toEqual([
    [3, 'expense', -20],
    [5, 'reversal', 20],
    [6, 'removal', 0],
    [7, 'restoration', -20],
  ])
})

test('a statement leaves out the category of a bank’s transaction', async () => {
  const customer = await bank.addCustomer()
  const loan = await record(bank.administrator, deposit(customer, '5000.50'))
  const coffee = await record(customer, expense(customer, '1'))
  for (const id of [loan, coffee])
    await run(customer, sql`update public.transactions set category = 'Salario certificado' where id = ${id}`)

  const { entries } = await statement(customer, thisMonth())

  expect(entries.map(({ kind, category }) => [kind, category])).toEqual([
    ['deposit', null],
    ['expense', 'Salario certificado'],
  ])
})

test('an empty month has the hash of the entry before it, or zeros in an empty journal', async () => {
  const { customer } = await customerOfThreeMonths()
  const newcomer = await bank.addCustomer()
  const [entry] = await run(
    customer,
    sql<{ hash: string }>`select hash from public.journal_entries where seq = 2`,
  )

  expect(await statement(customer, '2026-10')).toMatchObject({ entries: [], hash: entry?.hash })
  expect(await statement(newcomer, '2026-10')).toMatchObject({
    account: newcomer.id,
    opening: 0,
    closing: 0,
    entries: [],
    hash: '0'.repeat(64),
  })
})

test('a statement up to an entry ends with that entry', async () => {
  const { customer } = await customerOfThreeMonths()
  const before = await statement(customer, '2026-11', 5)

  expect(before).toMatchObject({ first_seq: 3, last_seq: 5, closing: 1000.4, is_whole: false })
  expect(before.entries.map(({ seq }) => seq)).toEqual([3, 5])
})

test('a statement up to an entry before the month is empty, and an invalid month is refused', async () => {
  const { customer } = await customerOfThreeMonths()
  const empty = { first_seq: 3, last_seq: 2, opening: 1000.4, closing: 1000.4, entries: [] }

  expect(await statement(customer, '2026-11', 1)).toMatchObject(empty)
  for (const month of ['infinity', '5874897-12-31', null])
    await expect(run(customer, sql`select public.statement(${month})`)).rejects.toMatchObject({
      sqlState: 'PT422',
    })
})

test('an issued statement verifies after edits and deletions, and the rows that differ are listed', async () => {
  const { customer, coffee, book } = await customerOfThreeMonths()
  const [september, november] = [
    paper(await statement(customer, '2026-09')),
    paper(await statement(customer, '2026-11')),
  ]
  await run(customer, rename(coffee, 'Otra cosa'))
  await run(customer, remove(book))

  const again = async (given: Statement) =>
    check(given, await statement(customer, given.month, given.lastSeq))
  expect(await again(september)).toEqual({ holds: true, isWhole: true, otherWords: [2] })
  expect(await again(november)).toMatchObject({ holds: true, otherWords: [3, 5, 7] })
})

test('the pages of a long month make one statement that verifies', async () => {
  const customer = await bank.addCustomer()
  await run(customer, expense(customer, '1'))
  const rows = Array.from({ length: 5000 }, () => ({ date: '2026-10-15', description: 'Café', amount: 1 }))
  await run(customer, sql`select public.import_transactions(${randomUUID()}, ${JSON.stringify(rows)})`)
  const month = new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)

  const first = await statement(customer, month)
  const second = await statement(customer, month, null, first.next_after_seq)
  const whole = await readWhole((afterSeq) => statement(customer, month, null, afterSeq))

  const head = { opening: 0, closing: -5001, first_seq: 1, last_seq: 5001, hash: first.hash }
  expect(first).toMatchObject({ ...head, next_after_seq: 5000 })
  expect(second).toMatchObject({ ...head, next_after_seq: null, entries: [{ seq: 5001 }] })
  expect(whole.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 5001 }, (_, index) => index + 1))
  const verdict = check(
    paper(whole),
    await readWhole((afterSeq) => statement(customer, month, whole.last_seq, afterSeq)),
  )
  expect(verdict).toMatchObject({ holds: true, isWhole: true })
})

test('a page after the last entry is empty, and an invalid start returns the whole month', async () => {
  const { customer } = await customerOfThreeMonths()

  for (const afterSeq of [7, Number.MAX_SAFE_INTEGER])
    expect(await statement(customer, '2026-11', null, afterSeq)).toMatchObject({
      entries: [],
      next_after_seq: null,
    })
  for (const afterSeq of [-1, null])
    expect((await statement(customer, '2026-11', null, afterSeq)).entries).toHaveLength(4)
})

test('a person cannot read another customer’s statement', async () => {
  const { customer } = await customerOfThreeMonths()

  for (const other of [await bank.addCustomer(), bank.administrator])
    expect(await statement(other, '2026-11')).toMatchObject({ account: other.id, opening: 0, closing: 0 })
  expect((await statement(customer, '2026-11')).opening).toBe(1000.4)
})

/** Adds a customer with one transaction, deleted and restored `restorations` times and edited `edits` times. */
async function busyMovement({ edits, restorations }: { edits: number; restorations: number }) {
  const customer = await bank.addCustomer()
  const id = await record(customer, expense(customer, '1'))
  await run(customer, {
    text: `do $$ begin
      for i in 1..${restorations} loop
        delete from public.transactions where id = '${id}';
        perform public.restore_transaction('${id}');
      end loop;
    end $$`,
    values: [],
  })
  const superuser = await bank.connectSuperuser()
  await superuser.script(`
    insert into ledger.transaction_edits
      (user_id, seq, transaction_id, recorded_at, description_before, description_after)
    select '${customer.id}', 1000000 + i, '${id}', now(), 'Texto ' || i, 'Texto ' || i + 1
    from generate_series(1, ${edits}) i`)
  await superuser.close()
  return customer
}

const thisMonth = () => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)

test('the cost of a page grows with its entries, not with the edits of a transaction', async () => {
  const [edits, restorations] = [20_000, 25]
  const entries = 1 + 2 * restorations
  const [edited, plain] = [
    await busyMovement({ edits, restorations }),
    await busyMovement({ edits: 0, restorations }),
  ]
  const measured = async (customer: Person) => {
    const month = thisMonth()
    const [head] = await run(
      customer,
      sql<{ seq: number }>`select max(seq)::integer as seq from public.journal_entries`,
    )
    const times: number[] = []
    let bytes = 0
    // Measures twice and keeps the faster run, which has the plans of the first.
    for (const _ of [1, 2]) {
      const began = performance.now()
      const whole = await readWhole((afterSeq) => statement(customer, month, head?.seq ?? 0, afterSeq))
      times.push(performance.now() - began)
      expect(whole.entries).toHaveLength(entries)
      bytes = JSON.stringify(whole.entries).length
    }
    return { bytes, ms: Math.min(...times) }
  }

  const [much, little] = [await measured(edited), await measured(plain)]

  expect(entries * edits).toBeGreaterThan(1_000_000)
  expect(much.bytes).toBeLessThan(little.bytes * 1.5)
  expect(much.ms).toBeLessThan(Math.max(little.ms, 5) * 20)
})

test('a correction names the transaction that it reverses, even after several corrections', async () => {
  const customer = await bank.addCustomer()
  const office = bank.administrator
  let last = await record(office, charge(customer, '30'))
  for (let times = 0; times < 3; times += 1) last = await record(office, correct(customer, last))
  const salary = await record(office, deposit(customer, '100'))
  await run(office, correct(customer, salary))
  await run(customer, remove(salary))

  const { entries } = await statement(customer, thisMonth())

  expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['expense', -30],
    ['expense_correction', 30],
    ['expense_correction', -30],
    ['expense_correction', 30],
    ['deposit', 100],
    ['deposit_correction', -100],
    ['removal', 0],
  ])
})

/** Returns a generator of integers from 0 to below `end`, the same in every run (mulberry32). */
function numbersFrom(seed: number): (end: number) => number {
  let state = seed
  return (end) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * end)
  }
}

type Known = {
  id: string
  cents: number
  isIncome: boolean
  isOwn: boolean
  isListed: boolean
  isVoid: boolean
}

test.for([1, 2, 3])(
  'the totals of a statement count income and spending that were not undone (%i)',
  async (seed) => {
    const customer = await bank.addCustomer()
    const office = bank.administrator
    const number = numbersFrom(seed)
    const known: Known[] = []
    const imported: { id: string; cents: number; isUndone: boolean }[] = []
    const amount = () => 1 + number(99_999)
    const money = (cents: number) => (cents / 100).toFixed(2)
    const one = <T>(all: readonly T[], fits: (each: T) => boolean): T | undefined => {
      const fitting = all.filter(fits)
      return fitting[number(fitting.length)]
    }
    const steps: (() => Promise<void>)[] = [
      async () => {
        const cents = amount()
        const id = await record(customer, expense(customer, money(cents)))
        known.push({ id, cents, isIncome: false, isOwn: true, isListed: true, isVoid: false })
      },
      async () => {
        const [cents, isIncome] = [amount(), number(2) === 0]
        const id = await record(office, (isIncome ? deposit : charge)(customer, money(cents)))
        known.push({ id, cents, isIncome, isOwn: false, isListed: true, isVoid: false })
      },
      async () => {
        const chosen = one(known, ({ isListed }) => isListed)
        if (chosen === undefined) return
        await run(customer, remove(chosen.id))
        chosen.isListed = false
      },
      async () => {
        const chosen = one(known, ({ isListed }) => !isListed)
        if (chosen === undefined) return
        await run(customer, restore(chosen.id))
        chosen.isListed = true
      },
      async () => {
        const chosen = one(known, ({ isOwn, isVoid }) => !isOwn && !isVoid)
        if (chosen === undefined) return
        await run(office, correct(customer, chosen.id))
        chosen.isVoid = true
      },
      async () => {
        const [id, cents] = [randomUUID(), amount()]
        const rows = [1, 2].map(() => ({ date: '2026-10-15', description: 'Café', amount: cents / 100 }))
        await run(customer, sql`select public.import_transactions(${id}, ${JSON.stringify(rows)})`)
        imported.push({ id, cents: 2 * cents, isUndone: false })
      },
      async () => {
        const chosen = one(imported, ({ isUndone }) => !isUndone)
        if (chosen === undefined) return
        await run(customer, sql`select public.undo_import(${chosen.id})`)
        chosen.isUndone = true
      },
    ]
    for (let step = 0; step < 60; step += 1) await steps[number(steps.length)]?.()

    const given = paper(await statement(customer, thisMonth()))
    const { incomeMinor, spendingMinor } = totalsOf(given)

    const sum = (parts: readonly { cents: number }[]) => parts.reduce((total, { cents }) => total + cents, 0)
    // The bank's transactions count even if they were removed from the list.
    const standing = known.filter(({ isOwn, isListed, isVoid }) => (isOwn ? isListed : !isVoid))
    expect(incomeMinor).toBe(sum(standing.filter(({ isIncome }) => isIncome)))
    const spent = standing.filter(({ isIncome }) => !isIncome)
    expect(0 - spendingMinor).toBe(sum(spent) + sum(imported.filter(({ isUndone }) => !isUndone)))
    expect(given.openingMinor + incomeMinor + spendingMinor).toBe(given.closingMinor)
  },
)
