// What public.statement answers: months of the journal that sum, and what a paper that was handed out is verified by.
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
import { useBank } from './database.ts'
import { type Person, deposit, expense, record, remove, run } from './people.ts'

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
const paper = (answer: StatementAnswer): Statement => statementOf(answer, issued, statementCopy.unlisted)
const rename = (id: string, description: string) =>
  sql`update public.transactions set description = ${description} where id = ${id}`
const restore = (id: string) => sql`select public.restore_transaction(${id})`

/** Moves an entry in time; the chain's hashes are not what is tried here. */
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

/** Deposits and expenses from September to November, an edit, a deletion and what came back. */
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
    // The last moment of September in Bogotá, which is October in Greenwich.
    2: '2026-10-01T04:59:59.999999Z',
    3: '2026-11-01T05:00:00Z',
    4: '2026-11-02T15:00:00Z',
    5: '2026-11-03T15:00:00Z',
    6: '2026-11-04T15:00:00Z',
    7: '2026-12-01T04:59:59Z',
  })
  return { customer, salary, coffee, book }
}

test('months follow one another: each begins with what the last one ended with, and its amounts make its end', async () => {
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
  for (const answer of months) expect(checkStatement(paper(answer), answer)).toMatchObject({ holds: true })
})

test('a month has every entry with its balance, and the words of what is still listed; an edit is none', async () => {
  const { customer } = await customerOfThreeMonths()

  const september = await statement(customer, '2026-09')
  const november = await statement(customer, '2026-11')

  expect(september.entries).toMatchObject([
    // Deleted from the list since: its date and words are gone.
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

test('an empty month stands on the head of the chain before it; an empty chain on none', async () => {
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

test('up to an entry it is what it was when that was the last one, with every name that a movement had', async () => {
  const { customer, coffee } = await customerOfThreeMonths()
  const before = await statement(customer, '2026-11', 5)
  await run(customer, rename(coffee, 'Café'))

  expect(before).toMatchObject({ first_seq: 3, last_seq: 5, closing: 1000.4, is_whole: false })
  expect(before.entries.map(({ seq }) => seq)).toEqual([3, 5])
  expect((await statement(customer, '2026-09', 2)).entries[1]).toMatchObject({
    description: 'Café',
    earlier: expect.arrayContaining(['Café', 'Café con Ana']) as string[],
  })
})

test('up to an entry before it it is empty, and of no month there is none', async () => {
  const { customer } = await customerOfThreeMonths()
  const empty = { first_seq: 3, last_seq: 2, opening: 1000.4, closing: 1000.4, entries: [] }

  expect(await statement(customer, '2026-11', 1)).toMatchObject(empty)
  for (const month of ['infinity', '5874897-12-31', null])
    await expect(run(customer, sql`select public.statement(${month})`)).rejects.toMatchObject({
      sqlState: 'PT422',
    })
})

test('what was handed out holds after edits and deletions, and says what it can no longer compare', async () => {
  const { customer, coffee, book } = await customerOfThreeMonths()
  const [september, november] = [
    paper(await statement(customer, '2026-09')),
    paper(await statement(customer, '2026-11')),
  ]
  await run(customer, rename(coffee, 'Otra cosa'))
  await run(customer, remove(book))

  const check = async (given: Statement) =>
    checkStatement(given, await statement(customer, given.month, given.lastSeq))
  expect(await check(september)).toEqual({ holds: true, isWhole: true, withoutWords: 0 })
  expect(await check(november)).toMatchObject({ holds: true, withoutWords: 3 })
})

test('a long month comes in pages, which make one statement that holds', async () => {
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
  const verdict = checkStatement(
    paper(whole),
    await readWhole((afterSeq) => statement(customer, month, whole.last_seq, afterSeq)),
  )
  expect(verdict).toMatchObject({ holds: true, isWhole: true })
})

test('after the last entry, or a number that is none, there is no page', async () => {
  const { customer } = await customerOfThreeMonths()

  for (const afterSeq of [7, Number.MAX_SAFE_INTEGER])
    expect(await statement(customer, '2026-11', null, afterSeq)).toMatchObject({
      entries: [],
      next_after_seq: null,
    })
  for (const afterSeq of [-1, null])
    expect((await statement(customer, '2026-11', null, afterSeq)).entries).toHaveLength(4)
})

test('nobody reads the statement of another customer', async () => {
  const { customer } = await customerOfThreeMonths()

  for (const other of [await bank.addCustomer(), bank.administrator])
    expect(await statement(other, '2026-11')).toMatchObject({ account: other.id, opening: 0, closing: 0 })
  expect((await statement(customer, '2026-11')).opening).toBe(1000.4)
})
