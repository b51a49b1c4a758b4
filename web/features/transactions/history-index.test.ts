import { expect, test } from 'vitest'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { indexHistory, selectRows, type Selection } from './history-index.ts'
import { listItems } from './list-items.ts'

const rows = [
  row({ description: 'Nómina', type: 'deposit', amount: 900, category: null, date: '2026-11-20T15:00:00Z' }),
  row({
    description: 'Pensión',
    type: 'deposit',
    amount: 100,
    category: 'Otro',
    date: '2026-11-20T14:00:00Z',
  }),
  row({ description: 'Ñame y plátano', amount: 20.5, category: 'Comida', date: '2026-11-20T04:30:00Z' }),
  row({ description: 'Nevera', amount: 1500, category: 'Compras', date: '2026-11-18T15:00:00Z' }),
  row({ description: 'Óptica', amount: 300, category: 'Salud', date: '2026-11-17T15:00:00Z' }),
]

test('the search ignores capitals and accents', () => {
  expect(found({ search: '  PENSION ' })).toEqual(['Pensión'])
  expect(found({ search: 'name' })).toEqual(['Ñame y plátano'])
})

test('the search matches any part of the description and nothing else', () => {
  expect(found({ search: 'ver' })).toEqual(['Nevera'])
  expect(found({ search: 'Compras' })).toEqual([])
})

test('deposits are found by their type, whatever their category', () => {
  expect(found({ filter: { kind: 'deposits' } })).toEqual(['Nómina', 'Pensión'])
})

test('a category shows its own rows, deposits included', () => {
  expect(found({ filter: { kind: 'category', name: 'Otro' } })).toEqual(['Pensión'])
})

test('each distinct category is offered once, the deposits’ own aside', () => {
  expect(index().categories).toEqual(['Comida', 'Compras', 'Otro', 'Salud'])
})

test('rows come newest first, or largest first, or in Spanish alphabetical order', () => {
  expect(found({ order: 'date' })).toEqual(['Nómina', 'Pensión', 'Ñame y plátano', 'Nevera', 'Óptica'])
  expect(found({ order: 'amount' })).toEqual(['Nevera', 'Nómina', 'Óptica', 'Pensión', 'Ñame y plátano'])
  expect(found({ order: 'description' })).toEqual(['Nevera', 'Nómina', 'Ñame y plátano', 'Óptica', 'Pensión'])
})

test('in date order the rows stand under their days in Bogotá, each with its total', () => {
  const prepared = index()

  const items = listItems(prepared, selectRows(prepared, selection({})), 'date')

  expect(items.map((item) => (item.kind === 'day' ? item.totalMinor : item.position))).toEqual([
    100_000, 0, 1, -2050, 2, -150_000, 3, -30_000, 4,
  ])
})

test('in any other order there are no days', () => {
  const prepared = index()

  const items = listItems(prepared, selectRows(prepared, selection({ order: 'amount' })), 'amount')

  expect(items.every((item) => item.kind === 'row')).toBe(true)
})

test('a history of several pages is searched as one', () => {
  const prepared = indexHistory({ pages: [rows.slice(0, 2), rows.slice(2)] })

  expect(selectRows(prepared, selection({ search: 'optica' }))).toEqual([4])
})

function index() {
  return indexHistory({ pages: [rows] })
}

function found(part: Partial<Selection>): string[] {
  const prepared = index()
  return selectRows(prepared, selection(part)).map((position) => prepared.rows[position]?.description ?? '')
}

function selection(part: Partial<Selection>): Selection {
  return { search: '', filter: { kind: 'all' }, order: 'date', ...part }
}

function row(part: Partial<Transaction>): Transaction {
  return {
    id: crypto.randomUUID(),
    user_id: 'u',
    type: 'expense',
    description: '',
    amount: 1,
    date: '',
    category: null,
    recorded_by: 'customer',
    ...part,
  }
}
