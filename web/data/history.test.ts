import { expect, test } from 'vitest'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import {
  beginReading,
  endReading,
  isSameRow,
  mergePage,
  removeRow,
  upsertRow,
  type History,
  type ReadPage,
} from './history.ts'

test('pages are joined in the order in which they are read', () => {
  const first = mergePage(beginReading(undefined), read([row('d', 4), row('c', 3)], null))
  const whole = mergePage(first, { ...read([row('b', 2), row('a', 1)], row('c', 3)), isLast: true })

  expect(idsOf(first)).toEqual(['d', 'c'])
  expect(first.isComplete).toBe(false)
  expect(idsOf(whole)).toEqual(['d', 'c', 'b', 'a'])
  expect(whole.isComplete).toBe(true)
})

test('reading an unchanged page again returns the same history object', () => {
  const history = complete([row('d', 4), row('c', 3)], [row('b', 2), row('a', 1)])

  const again = mergePage(history, { rows: structuredClone(history.pages.flat()), after: null, isLast: true })

  expect(again).toBe(history)
})

test('reading a page again finds a change of any column', () => {
  const known = row('a', 1)

  for (const column of Object.keys(known)) {
    expect(isSameRow(known, { ...known, [column]: 'otro' }), column).toBe(false)
  }
})

test('reading a page again finds rows that were added or deleted meanwhile', () => {
  const history = complete([row('e', 5), row('d', 4)], [row('b', 2), row('a', 1)])

  const half = mergePage(history, read([row('f', 6), row('e', 5), row('c', 3)], null))
  const whole = mergePage(half, { rows: [row('a', 1)], after: row('c', 3), isLast: true })

  expect(idsOf(half)).toEqual(['f', 'e', 'c', 'b', 'a'])
  expect(idsOf(whole)).toEqual(['f', 'e', 'c', 'a'])
  expect(whole.pages.flat()[1]).toBe(history.pages[0]?.[0])
})

test('a history is empty after its last rows were deleted elsewhere', () => {
  const history = complete([row('b', 2)], [row('a', 1)])

  expect(mergePage(history, { rows: [], after: null, isLast: true })).toMatchObject({
    pages: [],
    isComplete: true,
  })
})

test('a page that the server sent before a deletion does not restore the deleted row', () => {
  const reading = removeRow(beginReading(complete([row('b', 2), row('a', 1)])), 'b')

  const merged = mergePage(reading, { rows: [row('b', 2), row('a', 1)], after: null, isLast: true })

  expect(idsOf(merged)).toEqual(['a'])
})

test('a page that the server sent before an insertion does not remove the inserted row', () => {
  const reading = upsertRow(beginReading(complete([row('a', 1)])), row('b', 2))

  const merged = mergePage(reading, { rows: [row('a', 1)], after: null, isLast: true })

  expect(idsOf(merged)).toEqual(['b', 'a'])
})

test('a row that an event announced is shown, even if the page of the history that arrives later does not contain the row', () => {
  const first = mergePage(beginReading(undefined), read([row('d', 4), row('c', 3)], null))
  const announced = upsertRow(upsertRow(first, row('b', 2)), row('a', 1))

  const whole = mergePage(announced, { rows: [row('b', 2)], after: row('c', 3), isLast: true })

  expect(idsOf(announced)).toEqual(['d', 'c'])
  expect(idsOf(whole)).toEqual(['d', 'c', 'b', 'a'])
})

test('the result of a read is not changed by an event that arrived before the read began', () => {
  const before = endReading(upsertRow(beginReading(complete([row('a', 1)])), row('b', 2)))

  const merged = mergePage(beginReading(before), { rows: [row('a', 1)], after: null, isLast: true })

  expect(idsOf(merged)).toEqual(['a'])
})

test('times are compared to the microsecond', () => {
  const [early, late] = [
    { ...row('z', 1), date: '2026-11-20T15:00:00.000001+00:00' },
    { ...row('a', 1), date: '2026-11-20T15:00:00.000002+00:00' },
  ]

  expect(idsOf(upsertRow(complete([early]), late))).toEqual(['a', 'z'])
})

test('a new transaction is inserted by date', () => {
  const history = complete([row('d', 4), row('c', 3)], [row('a', 1)])

  expect(idsOf(upsertRow(history, row('b', 2)))).toEqual(['d', 'c', 'b', 'a'])
  expect(idsOf(upsertRow(history, row('e', 5)))).toEqual(['e', 'd', 'c', 'a'])
  expect(idsOf(upsertRow(history, row('0', 0)))).toEqual(['d', 'c', 'a', '0'])
})

test('transactions with the same time are sorted by descending id', () => {
  expect(idsOf(upsertRow(complete([row('c', 3), row('a', 3)]), row('b', 3)))).toEqual(['c', 'b', 'a'])
})

test('a changed transaction replaces the earlier version and moves if its date changed', () => {
  const history = upsertRow(complete([row('b', 2), row('a', 1)]), { ...row('a', 3), description: 'Otra' })

  expect(idsOf(history)).toEqual(['a', 'b'])
  expect(history.pages[0]?.[0]?.description).toBe('Otra')
})

test('a transaction that is older than all rows read so far is not shown until its page is read', () => {
  const history = { ...complete([row('c', 3)]), isComplete: false }

  expect(idsOf(upsertRow(history, row('a', 1)))).toEqual(['c'])
})

test('a customer’s first transaction is shown', () => {
  expect(idsOf(upsertRow({ pages: [], isComplete: true, changes: null }, row('a', 1)))).toEqual(['a'])
})

test('removing a transaction does not change the other pages', () => {
  const history = complete([row('c', 3)], [row('b', 2), row('a', 1)])

  const rest = removeRow(history, 'b')

  expect(idsOf(rest)).toEqual(['c', 'a'])
  expect(rest.pages[0]).toBe(history.pages[0])
})

function complete(...pages: Transaction[][]): History {
  return { pages, isComplete: true, changes: null }
}

function read(rows: Transaction[], after: Transaction | null): ReadPage {
  return { rows, after, isLast: false }
}

function idsOf(history: History): string[] {
  return history.pages.flat().map(({ id }) => id)
}

function row(id: string, second: number): Transaction {
  return transactionRow({ id, description: id, date: new Date(second * 1000).toISOString() })
}
