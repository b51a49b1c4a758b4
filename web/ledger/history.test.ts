import { expect, test } from 'vitest'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { appendPage, emptyHistory, removeRow, upsertRow, type History } from './history.ts'

test('a page that repeats a row of the page before adds it once', () => {
  const history = appendPage(emptyHistory, [row('c', 3), row('b', 2)])

  expect(idsOf(appendPage(history, [row('b', 2), row('a', 1)]))).toEqual(['c', 'b', 'a'])
})

test('a new transaction takes its place by date', () => {
  const history = complete([row('d', 4), row('c', 3)], [row('a', 1)])

  expect(idsOf(upsertRow(history, row('b', 2)))).toEqual(['d', 'c', 'b', 'a'])
  expect(idsOf(upsertRow(history, row('e', 5)))).toEqual(['e', 'd', 'c', 'a'])
  expect(idsOf(upsertRow(history, row('0', 0)))).toEqual(['d', 'c', 'a', '0'])
})

test('transactions of the same instant are ordered by id, the greater first', () => {
  expect(idsOf(upsertRow(complete([row('c', 3), row('a', 3)]), row('b', 3)))).toEqual(['c', 'b', 'a'])
})

test('a changed transaction replaces its earlier version and moves with its date', () => {
  const history = upsertRow(complete([row('b', 2), row('a', 1)]), { ...row('a', 3), description: 'Otra' })

  expect(idsOf(history)).toEqual(['a', 'b'])
  expect(history.pages[0]?.[0]?.description).toBe('Otra')
})

test('a transaction older than what was read so far waits for its own page', () => {
  const history = { ...complete([row('c', 3)]), isComplete: false }

  expect(idsOf(upsertRow(history, row('a', 1)))).toEqual(['c'])
})

test('the first transaction of a customer without any is shown', () => {
  expect(idsOf(upsertRow({ pages: [], isComplete: true }, row('a', 1)))).toEqual(['a'])
})

test('a removed transaction leaves the other pages untouched', () => {
  const history = complete([row('c', 3)], [row('b', 2), row('a', 1)])

  const rest = removeRow(history, 'b')

  expect(idsOf(rest)).toEqual(['c', 'a'])
  expect(rest.pages[0]).toBe(history.pages[0])
})

function complete(...pages: Transaction[][]): History {
  return { pages, isComplete: true }
}

function idsOf(history: History): string[] {
  return history.pages.flat().map(({ id }) => id)
}

function row(id: string, second: number): Transaction {
  return {
    id,
    user_id: 'u',
    type: 'expense',
    description: id,
    amount: 1,
    date: new Date(second * 1000).toISOString(),
    category: 'Otro',
    recorded_by: 'customer',
  }
}
