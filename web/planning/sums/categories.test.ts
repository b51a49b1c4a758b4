import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { foldSmallest, sumByCategory } from './categories.ts'
import { spendingIn, type Part } from './sums.ts'

const part = (amountMinor: number, category: string | null, rest: Partial<Part> = {}): Part => ({
  type: 'expense',
  category,
  recordedBy: 'customer',
  amountMinor: amountMinor as MinorUnits,
  transactions: 1,
  ...rest,
})

test('amounts are summed by category and sorted by size', () => {
  const sums = sumByCategory([
    part(10, 'Comida'),
    part(30, 'Arriendo'),
    part(100_000, 'Viajes'),
    part(20, 'Comida', { recordedBy: 'bank', transactions: 4 }),
  ])

  expect(sums.map(({ name, amountMinor, transactions }) => [name, amountMinor, transactions])).toEqual([
    ['Viajes', 100_000, 1],
    ['Arriendo', 30, 1],
    ['Comida', 30, 5],
  ])
})

test('bank charges are sorted by size like other categories', () => {
  const bank = { recordedBy: 'bank' } as const
  const sums = sumByCategory([part(900, 'Gasto', bank), part(100, null, bank), part(1, 'Comida')])

  expect(sums).toMatchObject([
    { name: 'Registrado por el banco', category: 'Gasto', amountMinor: 1000 },
    { name: 'Comida', category: 'Comida' },
  ])
})

test('an expense without a category does not count as a bank charge', () => {
  expect(sumByCategory([part(5, null), part(5, '')])).toMatchObject([
    { name: 'Sin categoría', category: 'Gasto', amountMinor: 10 },
  ])
})

test('a customer’s category with the same name as the bank charges stays separate', () => {
  const sums = sumByCategory([part(5, 'Registrado por el banco'), part(7, 'Gasto', { recordedBy: 'bank' })])

  expect(sums.map(({ amountMinor }) => amountMinor)).toEqual([7, 5])
})

test('the spending of a month includes bank charges', () => {
  const charge = part(100, 'Gasto', { recordedBy: 'bank' })
  const own = part(1, 'Corrección')
  const month = { month: '2026-11', balanceMinor: 0 as MinorUnits }
  const sums = {
    period: { since: '2026-11-01', until: '2026-11-30' },
    balanceMinor: month.balanceMinor,
    months: [{ ...month, parts: [charge, own, { ...charge, type: 'deposit' as const }] }],
    spentMinorByDay: new Map<string, MinorUnits>(),
    coming: { payments: 0, amount: 0, recurs: false },
    bookedMinor: month.balanceMinor,
    notedMinor: month.balanceMinor,
    monthlyLimit: null,
  }

  expect([spendingIn(sums, '2026-11'), spendingIn(sums, '2026-10')]).toEqual([[charge, own], []])
})

test('a short list combines the smallest categories in one line', () => {
  const sums = sumByCategory([
    ...[50, 40, 30, 20, 10].map((amount, index) => part(amount, `Categoría ${index}`)),
    part(99, 'Gasto', { recordedBy: 'bank' }),
  ])

  expect(foldSmallest(sums, 3).map(({ name, amountMinor }) => [name, amountMinor])).toEqual([
    ['Registrado por el banco', 99],
    ['Categoría 0', 50],
    ['Categoría 1', 40],
    ['Otras 3 categorías', 60],
  ])
  expect(foldSmallest(sums, 5)).toHaveLength(6)
})
