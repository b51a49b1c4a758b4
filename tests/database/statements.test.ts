// Tests the results of public.statement: the rows and totals of each month, and the figures with which an issued
// statement is verified.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { checkStatement } from '@finanzas/contract/papers/check.ts'
import { statementCopy } from '@finanzas/contract/papers/copy.ts'
import {
  type Statement,
  type StatementAnswer,
  isLate,
  readWhole,
  statementOf,
} from '@finanzas/contract/papers/statement.ts'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { totalsOf } from '@finanzas/contract/papers/totals.ts'
import { runWithoutTriggers, useBank } from './database.ts'
import { type Person, call, correct, deposit, expense, record, remove, run } from './people.ts'

const bank = useBank()

const statement = (
  person: Person,
  month: string,
  untilSeq: number | null = null,
  afterRow: number | null = 0,
) => call<StatementAnswer>(person, sql`public.statement(${`${month}-01`}::date, ${untilSeq}, ${afterRow})`)
const issued = { bankName: 'Banco', customer: 'Ana', currency: 'USD', issuedAt: '2026-12-01 09:00' } as const
const check = (given: Statement, answer: StatementAnswer) => checkStatement(given, answer, issued)
const paper = (answer: StatementAnswer): Statement => statementOf(answer, issued, statementCopy.unlisted)
const rename = (id: string, description: string) =>
  sql`update public.transactions set description = ${description} where id = ${id}`
const restore = (id: string) => sql`select public.restore_transaction(${id})`

/** Changes the posting times of entries. The new times invalidate the chain's hashes, which this file does not test. */
async function bookedAt({ id }: Person, times: Readonly<Record<number, string>>): Promise<void> {
  for (const [seq, time] of Object.entries(times))
    await runWithoutTriggers(
      bank,
      `update ledger.journal set recorded_at = '${time}' where user_id = '${id}' and seq = ${seq}`,
    )
}

/** SQL statements that record a dated transaction: an expense by the customer, or a deposit by the bank. */
const spend = ({ id }: Person, amount: string, date: string): SqlStatement<{ id: string }> =>
  sql`insert into public.transactions (user_id, type, description, amount, date, category)
      values (${id}, 'expense', 'Café', ${amount}, ${date}, 'Comida') returning id`
const pay = ({ id }: Person, amount: string, date: string): SqlStatement<{ id: string }> =>
  sql`select private.register_transaction(${id}, 'deposit', ${amount}, 'Nómina', ${date}, 'Deposito') ->> 'id' as id`

/**
 * Adds a customer with one deposit and two expenses from September to November. One expense is edited, the other is
 * deleted and restored, and the deposit is deleted.
 */
async function customerOfThreeMonths() {
  const customer = await bank.addCustomer()
  const salary = await record(bank.administrator, pay(customer, '1000.50', '2026-09-15T15:00:00Z'))
  // The last microsecond of September in Bogotá, when it is already October in UTC.
  const coffee = await record(customer, spend(customer, '0.10', '2026-10-01T04:59:59.999999Z'))
  const book = await record(customer, spend(customer, '20', '2026-11-01T05:00:00Z'))
  await run(customer, rename(coffee, 'Café con Ana'))
  await run(customer, remove(book))
  await run(customer, remove(salary))
  await run(customer, restore(book))
  await bookedAt(customer, {
    1: '2026-09-15T15:00:00Z',
    2: '2026-10-01T04:59:59.999999Z',
    3: '2026-11-01T05:00:00Z',
  })
  return { customer, salary, coffee, book }
}

const rowsOf = ({ entries }: StatementAnswer) =>
  entries.map(({ seq, kind, amount, balance }) => [seq, kind, amount, balance])

test('each month starts with the previous month’s closing balance, and its rows add up to its own closing balance', async () => {
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
  expect(months.map(rowsOf)).toEqual([
    [],
    [
      [1, 'unlisted', 1000.5, 1000.5],
      [2, 'expense', -0.1, 1000.4],
    ],
    [],
    [[3, 'expense', -20, 980.4]],
    [],
  ])
  for (const answer of months) expect(check(paper(answer), answer)).toMatchObject({ holds: true })
})

test('a monthly statement shows the dates of all rows but only the descriptions of listed rows', async () => {
  const { customer } = await customerOfThreeMonths()

  const { entries } = await statement(customer, '2026-09')

  expect(entries).toMatchObject([
    { date: '2026-09-15T15:00:00+00:00', description: null, category: null },
    { date: '2026-10-01T04:59:59.999999+00:00', description: 'Café con Ana', category: 'Comida' },
  ])
})

test('rows that were recorded after the end of the month come last and count towards the closing balance', async () => {
  const customer = await bank.addCustomer()
  for (const day of ['20', '02', '10']) await run(customer, spend(customer, '1', `2026-09-${day}T15:00:00Z`))
  // In Bogotá, October begins at 05:00 UTC.
  await bookedAt(customer, {
    1: '2026-09-30T12:00:00Z',
    2: '2026-10-01T05:00:00Z',
    3: '2026-10-01T04:59:59Z',
  })

  const answer = await statement(customer, '2026-09')

  expect(rowsOf(answer)).toEqual([
    [3, 'expense', -1, -1],
    [1, 'expense', -1, -2],
    [2, 'expense', -1, -3],
  ])
  expect(answer.closing).toBe(-3)
  expect(paper(answer).rows.map((row) => isLate(row, '2026-09'))).toEqual([false, false, true])
})

test('a statement omits the category of a bank transaction', async () => {
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

test('the statement of an empty month has the last entry’s hash, or zeros if the chain is empty', async () => {
  const { customer } = await customerOfThreeMonths()
  const newcomer = await bank.addCustomer()
  const [entry] = await run(
    customer,
    sql<{ hash: string }>`select hash from public.journal_entries where seq = 7`,
  )

  expect(await statement(customer, '2026-10')).toMatchObject({ entries: [], hash: entry?.hash, last_seq: 7 })
  for (const answer of [await statement(newcomer, '2026-10'), await statement(newcomer, '2026-10', 0)])
    expect(answer).toMatchObject({
      account: newcomer.id,
      opening: 0,
      closing: 0,
      last_seq: 0,
      entries: [],
      hash: '0'.repeat(64),
      is_whole: true,
    })
})

test('a statement up to an earlier entry shows the rows and kinds that existed when that entry was the last entry', async () => {
  const { customer } = await customerOfThreeMonths()

  const deleted = await statement(customer, '2026-11', 5)
  const listed = await statement(customer, '2026-09', 5)

  expect(deleted).toMatchObject({ last_seq: 5, closing: 1000.4, is_whole: false, entries: [] })
  expect(rowsOf(listed)).toEqual([
    [1, 'deposit', 1000.5, 1000.5],
    [2, 'expense', -0.1, 1000.4],
  ])
  // Entry 6 removes the deposit from the list.
  expect(listed.is_whole).toBe(false)
  expect((await statement(customer, '2026-09', 6)).is_whole).toBe(true)
})

test('a statement up to entry 0 is empty, and an invalid month is refused', async () => {
  const { customer } = await customerOfThreeMonths()

  expect(await statement(customer, '2026-11', 0)).toMatchObject({ last_seq: 0, opening: 0, entries: [] })
  for (const month of ['infinity', '5874897-12-31', null])
    await expect(run(customer, sql`select public.statement(${month})`)).rejects.toMatchObject({
      sqlState: 'PT422',
    })
})

test('an issued statement is still valid after edits and deletions, and the check names the rows that now differ', async () => {
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
  expect(await again(november)).toEqual({ holds: true, isWhole: false, otherWords: [3] })
})

test('the pages of a long month together form one valid statement', async () => {
  const customer = await bank.addCustomer()
  await run(customer, spend(customer, '1', '2026-10-01T15:00:00Z'))
  const rows = Array.from({ length: 5000 }, () => ({ date: '2026-10-15', description: 'Café', amount: 1 }))
  await run(customer, sql`select public.import_transactions(${randomUUID()}, ${JSON.stringify(rows)})`)
  const month = '2026-10'

  const first = await statement(customer, month)
  const second = await statement(customer, month, first.last_seq, first.next_after_row)
  // A transaction that is recorded while the pages are read does not belong to this statement.
  let pages = 0
  const whole = await readWhole(async ({ untilSeq, afterRow }) => {
    if (pages > 0) await run(customer, spend(customer, '1', '2026-10-01T14:00:00Z'))
    pages += 1
    return statement(customer, month, untilSeq, afterRow)
  })

  const head = { opening: 0, closing: -5001, last_seq: 5001, hash: first.hash }
  expect(first).toMatchObject({ ...head, next_after_row: 5000 })
  expect(second).toMatchObject({ ...head, next_after_row: null, entries: [{ seq: 5001 }] })
  expect(whole.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 5001 }, (_, index) => index + 1))
  const verdict = check(
    paper(whole),
    await readWhole(
      ({ untilSeq, afterRow }) => statement(customer, month, untilSeq, afterRow),
      whole.last_seq,
    ),
  )
  expect(verdict).toMatchObject({ holds: true, isWhole: false })
})

test('a page after the last row is empty, and an invalid start row returns the whole month', async () => {
  const { customer } = await customerOfThreeMonths()

  for (const afterRow of [1, 2 ** 31 - 1])
    expect(await statement(customer, '2026-11', null, afterRow)).toMatchObject({
      entries: [],
      next_after_row: null,
    })
  for (const afterRow of [-1, null])
    expect((await statement(customer, '2026-11', null, afterRow)).entries).toHaveLength(1)
})

test('a person cannot read another customer’s statement', async () => {
  const { customer } = await customerOfThreeMonths()

  for (const other of [await bank.addCustomer(), bank.administrator])
    expect(await statement(other, '2026-11')).toMatchObject({ account: other.id, opening: 0, closing: 0 })
  expect((await statement(customer, '2026-11')).opening).toBe(1000.4)
})

/** Adds a customer with one transaction that was deleted and restored `restorations` times and edited `edits` times. */
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
  await runWithoutTriggers(
    bank,
    `insert into public.transaction_edits
      (user_id, seq, transaction_id, recorded_at, before, after)
    select '${customer.id}', 1000000 + i, '${id}', now(),
      jsonb_build_object('description', 'Texto ' || i), jsonb_build_object('description', 'Texto ' || i + 1)
    from generate_series(1, ${edits}) i`,
  )
  return customer
}

const thisMonth = () => new Date(Date.now() - 5 * 3_600_000).toISOString().slice(0, 7)

test('the cost of a page does not grow with the number of edits of a transaction', async () => {
  const [edits, restorations] = [20_000, 25]
  const [edited, plain] = [
    await busyMovement({ edits, restorations }),
    await busyMovement({ edits: 0, restorations }),
  ]
  const measured = async (customer: Person) => {
    const month = thisMonth()
    const times: number[] = []
    let bytes = 0
    // Reads the statement twice, because the first read also includes the time to plan the queries.
    for (const _ of [1, 2]) {
      const began = performance.now()
      const whole = await readWhole(({ untilSeq, afterRow }) =>
        statement(customer, month, untilSeq, afterRow),
      )
      times.push(performance.now() - began)
      expect(whole.entries).toHaveLength(1)
      bytes = JSON.stringify(whole.entries).length
    }
    return { bytes, ms: Math.min(...times) }
  }

  const [much, little] = [await measured(edited), await measured(plain)]

  expect(restorations * edits).toBeGreaterThanOrEqual(500_000)
  expect(much.bytes).toBeLessThan(little.bytes * 1.5)
  expect(much.ms).toBeLessThan(Math.max(little.ms, 5) * 20)
})

test('a mistake and its corrections have the same date and do not count towards the totals', async () => {
  const customer = await bank.addCustomer()
  const office = bank.administrator
  const at = '2026-09-15T15:00:00Z'
  let last = await record(
    office,
    sql`select private.register_transaction(${customer.id}, 'expense', 30, 'Cuota', ${at}, 'Gasto') ->> 'id' as id`,
  )
  for (let times = 0; times < 3; times += 1) last = await record(office, correct(customer, last))
  const salary = await record(office, pay(customer, '100', at))
  const kept = await record(office, pay(customer, '7', at))
  await run(customer, remove(salary))
  await run(office, correct(customer, salary))
  await run(office, correct(customer, await record(office, correct(customer, kept))))

  const answer = await statement(customer, '2026-09')

  expect(answer.entries.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['corrected', -30],
    ['correction', 30],
    ['correction', -30],
    ['correction', 30],
    ['corrected', 100],
    ['deposit', 7],
    ['correction', -100],
    ['correction', -7],
    ['correction', 7],
  ])
  expect(new Set(answer.entries.map(({ date }) => date))).toEqual(new Set(['2026-09-15T15:00:00+00:00']))
  expect(totalsOf(paper(answer))).toEqual({ incomeMinor: 700, spendingMinor: 0, unlistedMinor: 0 })
  expect(rowsOf(await statement(customer, thisMonth()))).toEqual([])
  // A statement that was issued before the correction still counts the mistake.
  expect((await statement(customer, '2026-09', 1)).entries).toMatchObject([{ kind: 'expense' }])
})

test('an issued statement is still valid after the account is closed and its rows are deleted', async () => {
  const { customer } = await customerOfThreeMonths()
  const salary = await record(bank.administrator, pay(customer, '9', '2026-09-16T15:00:00Z'))
  await run(bank.administrator, correct(customer, salary))
  const given = { ...paper(await statement(customer, '2026-09')), signature: { kid: '', value: '' } }
  await run(bank.administrator, sql`select private.delete_user(${customer.id})`)

  // Reads the statement in the same way as the operator's command, because the closed account no longer has a
  // session.
  const claims = JSON.stringify({ sub: customer.id, role: 'authenticated' })
  const [[row]] = await customer.database.transaction(
    { role: 'authenticated', claims, session: null, access: 'read' },
    [
      sql<{ answer: StatementAnswer }>`
        select public.statement('2026-09-01'::date, ${given.lastSeq})::jsonb as answer`,
    ],
  )

  if (row === undefined) throw new Error('The function answered nothing.')
  expect(given.rows.map(({ kind }) => kind)).toEqual(['unlisted', 'expense', 'corrected', 'correction'])
  expect(check(given, row.answer)).toEqual({ holds: true, isWhole: true, otherWords: [2, 8, 9] })
})
