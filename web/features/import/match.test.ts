import type { MinorUnits } from '@finanzas/contract/money.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transactionRow } from '#testing/transaction-row.ts'
import { rulingOf } from '#ledger/filing/filing.ts'
import { chosenExpenses, groupExpenses } from './groups.ts'
import { splitKnown } from './match.ts'
import type { Movement } from './read/lines.ts'

const expense = (description: string, more: Partial<Movement> = {}): Movement => ({
  line: 1,
  day: '2026-11-20',
  description,
  amountMinor: 450 as MinorUnits,
  category: null,
  ...more,
})
const row = (description: string, more = {}) =>
  transactionRow({ description, amount: 4.5, date: '2026-11-20T17:00:00+00:00', ...more })
const words = (movements: readonly Movement[]) => movements.map(({ description }) => description)

test('of two equal coffees on a day the second is new while one is there', () => {
  const file = [expense('Café', { line: 2 }), expense('Café', { line: 3 })]

  const { fresh, known } = splitKnown(file, [row('CAFÉ ')])

  expect(known.map(({ line }) => line)).toEqual([2])
  expect(fresh.map(({ line }) => line)).toEqual([3])
})

test('another day, amount, description or type is another movement', () => {
  const rows = [
    row('Café', { date: '2026-11-21T17:00:00+00:00' }),
    row('Café', { amount: 4.51 }),
    row('Té'),
    row('Café', { type: 'deposit' }),
  ]

  expect(splitKnown([expense('Café')], rows).fresh).toHaveLength(1)
})

test('the day is that of Bogotá', () => {
  expect(
    splitKnown([expense('Café')], [row('Café', { date: '2026-11-21T04:59:00+00:00' })]).known,
  ).toHaveLength(1)
})

test('a file that was imported is there as a whole, and each twin is counted once', () => {
  const content = fc.record({
    description: fc.constantFrom('Café', 'Bus', 'Té 1', 'Té 2'),
    day: fc.constantFrom('2026-11-19', '2026-11-20'),
    amountMinor: fc.constantFrom(100, 200).map((minor) => minor as MinorUnits),
  })
  const file = fc.array(content, { maxLength: 30 })
  const asRows = (contents: readonly Omit<Movement, 'line' | 'category'>[]) =>
    contents.map(({ description, day, amountMinor }) =>
      row(description, { date: `${day}T17:00:00+00:00`, amount: amountMinor / 100 }),
    )
  fc.assert(
    fc.property(file, file, (first, second) => {
      const movements = second.map((each, line) => expense(each.description, { ...each, line }))
      const { fresh, known } = splitKnown(movements, asRows(first))
      const after = asRows([...first, ...fresh])

      expect(fresh.length + known.length).toBe(second.length)
      // Importing it again brings nothing, and as many of each are there as either had at most.
      expect(splitKnown(movements, after).fresh).toEqual([])
      const count = (rows: ReturnType<typeof asRows>) => {
        const counts = new Map<string, number>()
        for (const { description, date, amount } of rows) {
          const content = `${description} ${date} ${amount}`
          counts.set(content, (counts.get(content) ?? 0) + 1)
        }
        return counts
      }
      const [before, brought] = [count(asRows(first)), count(asRows(second))]
      for (const [content, size] of count(after))
        expect(size).toBe(Math.max(before.get(content) ?? 0, brought.get(content) ?? 0))
    }),
  )
})

test('expenses with the same words are one group, whatever their figures, the largest sum first', () => {
  const groups = groupExpenses(
    [
      expense('COMPRA EXITO 123'),
      expense('Cine', { amountMinor: 800 as MinorUnits }),
      expense('Compra Éxito 456'),
    ],
    { ruling: () => '', propose: (description) => (description.includes('EXITO') ? 'Comida' : '') },
  )

  expect(groups).toMatchObject([
    { label: 'COMPRA EXITO 123', amountMinor: 900, category: 'Comida', isProposed: true },
    { label: 'Cine', category: '', isProposed: false },
  ])
})

test('a rule wins over the file, and tells apart what it says of expenses with the same words', () => {
  const rules = [
    { contains: 'cuota 1', category: 'Servicios' },
    { contains: 'cine', category: 'Viajes' },
  ]
  const groups = groupExpenses(
    [expense('Cuota 1'), expense('Cuota 2'), expense('Cine', { category: 'Entretenimiento' })],
    { ruling: rulingOf(rules), propose: () => 'Otro' },
  )

  expect(groups).toMatchObject([
    { label: 'Cuota 1', category: 'Servicios', isRuled: true, isProposed: false },
    { label: 'Cuota 2', category: 'Otro', isRuled: false, isProposed: true },
    { label: 'Cine', category: 'Viajes', isRuled: true, isProposed: false },
  ])
})

test('the file’s own category is not replaced by a proposal, and a choice replaces both', () => {
  const groups = groupExpenses([expense('Cine', { category: 'Entretenimiento' }), expense('Bus')], {
    ruling: () => '',
    propose: () => 'Comida',
  })
  const [cinema, bus] = groups

  expect(groups.map(({ category }) => category)).toEqual(['Entretenimiento', 'Comida'])
  const chosen = chosenExpenses(
    groups,
    new Map([
      [cinema?.key ?? '', { category: '' }],
      [bus?.key ?? '', { isLeftOut: true }],
    ]),
  )
  expect(chosen).toEqual([expense('Cine')])
  expect(words(chosenExpenses(groups, new Map()))).toEqual(['Cine', 'Bus'])
})
