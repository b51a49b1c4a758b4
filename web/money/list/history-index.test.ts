import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { listItems, listSource, sameDay } from './grouped-rows.ts'
import { everything, selectRows, type Selection } from '#money/selection/selection.ts'
import { compareNewestFirst } from '#data/history.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import { advanceIndex, emptyIndex, type HistoryIndex, type Order } from './history-index.ts'

const rows = (
  [
    ['Nómina', 'deposit', 900, null, '2026-11-20T15:00:00Z'],
    ['Pensión', 'deposit', 100, 'Otro', '2026-11-20T14:00:00Z'],
    ['Ñame y plátano', 'expense', 20.5, 'Comida', '2026-11-20T04:30:00Z'],
    ['Nevera', 'expense', 1500, 'Compras', '2026-11-18T15:00:00Z'],
    ['Óptica', 'expense', 300, 'Salud', '2026-11-17T15:00:00Z'],
  ] as const
).map(([description, type, amount, category, date]) =>
  transactionRow({ description, type, amount, category, date }),
)

test('the search ignores capitals and accents', () => {
  expect(found({ search: '  PENSION ' })).toEqual(['Pensión'])
  expect(found({ search: 'name' })).toEqual(['Ñame y plátano'])
})

test('the search matches any part of the description and nothing else', () => {
  expect(found({ search: 'ver' })).toEqual(['Nevera'])
  expect(found({ search: 'Compras' })).toEqual([])
})

test('a deposit is found by its type, regardless of its category', () => {
  expect(found({ withDeposits: true })).toEqual(['Nómina', 'Pensión'])
})

test('a selected category shows all of its rows including deposits', () => {
  expect(found({ categories: ['Otro'] })).toEqual(['Pensión'])
})

test('several selected categories show the rows of each category', () => {
  expect(found({ categories: ['Compras', 'Salud'] })).toEqual(['Nevera', 'Óptica'])
  expect(found({ categories: ['Salud'], withDeposits: true })).toEqual(['Nómina', 'Pensión', 'Óptica'])
})

test('a period includes its first and last day in Bogotá', () => {
  expect(found({ from: '2026-11-18', to: '2026-11-19' })).toEqual(['Ñame y plátano', 'Nevera'])
  expect(found({ from: '2026-11-20' })).toEqual(['Nómina', 'Pensión'])
  expect(found({ to: '2026-11-17' })).toEqual(['Óptica'])
})

test('an amount range includes both limits for deposits and expenses', () => {
  expect(found({ minMinor: 30_000, maxMinor: 90_000 })).toEqual(['Nómina', 'Óptica'])
  expect(found({ maxMinor: 2050 })).toEqual(['Ñame y plátano'])
})

test('a row without a category is listed under its type', () => {
  const uncategorised = [
    transactionRow({ description: 'Sin categoría', type: 'expense', category: null }),
    transactionRow({ description: 'Vacía', type: 'expense', category: '' }),
    transactionRow({ description: 'Consignación', type: 'deposit', category: null }),
  ]

  expect(index(uncategorised).categories).toEqual(['Gasto'])
  expect(found({ withDeposits: true }, uncategorised)).toEqual(['Consignación'])
  expect(found({ categories: ['Gasto'] }, uncategorised)).toHaveLength(2)
})

test('each distinct category is offered once', () => {
  expect(index().categories).toEqual(['Comida', 'Compras', 'Otro', 'Salud'])
})

test('the category Deposito is offered only if it selects other rows than the option for deposits', () => {
  const own = transactionRow({ description: 'Consignación', type: 'deposit', category: 'Deposito' })
  const prize = transactionRow({ description: 'Premio', type: 'deposit', category: 'Otro' })

  expect(index([own]).categories).toEqual([])
  expect(index([own, prize]).categories).toEqual(['Deposito', 'Otro'])
  expect(found({ categories: ['Deposito'] }, [own, prize])).toEqual(['Consignación'])
  expect(found({ withDeposits: true }, [own, prize])).toHaveLength(2)
  expect(advanceIndex(index([own, prize]), [[own]]).categories).toEqual([])
})

test('rows can be sorted by date, by amount or in Spanish alphabetical order', () => {
  expect(found({ order: 'date' })).toEqual(['Nómina', 'Pensión', 'Ñame y plátano', 'Nevera', 'Óptica'])
  expect(found({ order: 'amount' })).toEqual(['Nevera', 'Nómina', 'Óptica', 'Pensión', 'Ñame y plátano'])
  expect(found({ order: 'description' })).toEqual(['Nevera', 'Nómina', 'Ñame y plátano', 'Óptica', 'Pensión'])
})

test('alphabetical order ignores punctuation at the beginning of a description', () => {
  const shown = ['¿Zapatos?', '¡Oferta!', '«Nido»', 'Zoológico', '(Avena)', 'ábaco', '…']

  const sorted = found(
    { order: 'description' },
    shown.map((description) => transactionRow({ description })),
  )

  expect(sorted).toEqual(['…', 'ábaco', '(Avena)', '«Nido»', '¡Oferta!', '¿Zapatos?', 'Zoológico'])
})

test('rows in date order are grouped by month, and each group shows the month’s income and spending', () => {
  const prepared = index([
    ...rows,
    transactionRow({ description: 'Cena', type: 'expense', amount: 50, date: '2026-11-01T04:30:00Z' }),
  ])

  const items = listItems(prepared, selectRows(prepared, everything), 'date')

  const shown = Array.from(items.codes, (code) =>
    code < 0 ? items.months[-1 - code]?.month : prepared.columns.rows[code]?.description,
  )
  expect(shown).toEqual([
    '2026-11',
    'Nómina',
    'Pensión',
    'Ñame y plátano',
    'Nevera',
    'Óptica',
    '2026-10',
    'Cena',
  ])
  expect(items.bands).toEqual([0, 6])
  expect(items.months[0]).toMatchObject({ inMinor: 100_000, outMinor: 182_050 })
  expect(items.months[1]).toMatchObject({ inMinor: 0, outMinor: 5000 })
})

test('a list item can be found by its key', () => {
  const prepared = index()
  const source = listSource(prepared, listItems(prepared, selectRows(prepared, everything), 'date'))

  const found = Array.from({ length: source.count }, (_, place) => source.indexOf(source.keyOf(place)))

  expect(found).toEqual([0, 1, 2, 3, 4, 5])
  expect(source.indexOf('month 2020-01')).toBe(-1)
})

test('a row’s flags say whether the adjacent rows have the same day', () => {
  const prepared = index()
  const daysIn = (order: Order) =>
    Array.from(listItems(prepared, selectRows(prepared, selection({ order })), order).sameDays)

  const { above, below } = sameDay
  expect(daysIn('date')).toEqual([0, below, above, 0, 0, 0])
  expect(daysIn('amount')).toEqual(Array.from(rows, () => 0))
})

test('the totals include exactly the rows on screen', () => {
  const prepared = index()
  const everyRow = listItems(prepared, selectRows(prepared, everything), 'date')
  const found = listItems(prepared, selectRows(prepared, selection({ search: 'opt' })), 'amount')

  expect([everyRow.inMinor, everyRow.outMinor]).toEqual([100_000, 182_050])
  expect([found.inMinor, found.outMinor]).toEqual([0, 30_000])
})

test('a corrected transaction and its correction are left out of all totals', () => {
  const pair = (['deposit', 'expense'] as const).map((type) =>
    transactionRow({ type, amount: 1_450_000, date: '2026-11-20T15:00:00Z', is_void: true }),
  )
  const prepared = advanceIndex(emptyIndex(), [[...pair, ...rows].toSorted(compareNewestFirst)])
  const items = listItems(prepared, selectRows(prepared, everything), 'date')

  for (const totals of [items, items.months[0]]) {
    expect(totals).toMatchObject({ inMinor: 100_000, outMinor: 182_050 })
  }
})

test('rows that are not sorted by date are not grouped by month', () => {
  const prepared = index()

  const items = listItems(prepared, selectRows(prepared, selection({ order: 'amount' })), 'amount')

  expect(items.length).toBe(rows.length)
  expect(items.bands).toEqual([])
})

test('the search covers all pages of a history', () => {
  const prepared = advanceIndex(emptyIndex(), [rows.slice(0, 2), rows.slice(2)])

  expect(descriptions(prepared, selectRows(prepared, selection({ search: 'optica' })))).toEqual(['Óptica'])
})

test('an updated index equals a newly built index after any changes', () => {
  const some = fc.array(fc.subarray(makeRows(60)), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(some, fc.integer({ min: 1, max: 9 }), (histories, pageLength) => {
      let kept = emptyIndex()
      for (const history of histories) {
        const sorted = history.toSorted(compareNewestFirst)
        const pages = Array.from({ length: Math.ceil(sorted.length / pageLength) }, (_, page) =>
          sorted.slice(page * pageLength, (page + 1) * pageLength),
        )
        kept = advanceIndex(kept, pages)
        const fresh = advanceIndex(emptyIndex(), pages)
        for (const order of ['date', 'amount', 'description'] as const) {
          expect(idsOf(kept, kept.orders[order])).toEqual(idsOf(fresh, fresh.orders[order]))
        }
        expect(kept.categories).toEqual(fresh.categories)
      }
    }),
  )
})

test('the slots of removed rows are reclaimed', () => {
  let kept = advanceIndex(emptyIndex(), [makeRows(10)])
  for (let round = 0; round < 1000; round += 1) kept = advanceIndex(kept, [makeRows(10)])

  expect(kept.columns.rows.length).toBeLessThan(2100)
})

function index(history: readonly Transaction[] = rows) {
  return advanceIndex(emptyIndex(), [history])
}

function makeRows(count: number): Transaction[] {
  return Array.from({ length: count }, (_, number) =>
    transactionRow({
      description: `Ñame ${(number * 7) % 10}`,
      amount: 1 + (number % 5),
      category: ['Comida', 'Salud', null][number % 3] ?? null,
      date: `2026-11-20T15:00:${String(number % 13).padStart(2, '0')}+00:00`,
    }),
  )
}

function idsOf({ columns }: HistoryIndex, slots: Uint32Array): string[] {
  return Array.from(slots, (slot) => columns.rows[slot]?.id ?? '')
}

function descriptions({ columns }: HistoryIndex, slots: Uint32Array): string[] {
  return Array.from(slots, (slot) => columns.rows[slot]?.description ?? '')
}

function found(part: Partial<Selection>, history?: readonly Transaction[]): string[] {
  const prepared = index(history)
  return descriptions(prepared, selectRows(prepared, selection(part)))
}

function selection(part: Partial<Selection>): Selection {
  return { ...everything, ...part }
}
