import { beforeEach, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import type { Part, Sums } from '#planning/sums/sums.ts'
import { serve } from '#testing/page.ts'
import { habitsBefore, proposedLimit } from './habits.ts'

beforeEach(() => serve(() => undefined))

test('the mean of a category counts the three months before, whether money was spent in them or not', () => {
  const sums = sumsOf({
    '2026-07': [expense('Comida', 900_00)],
    '2026-08': [expense('Comida', 100_00), deposit(2_900_00)],
    '2026-09': [expense('Salud', 30_00)],
    '2026-10': [expense('Comida', 50_00), expense('Comida', 15_00, 'bank')],
    '2026-11': [expense('Comida', 700_00)],
  })
  const { months, categories, total } = habitsBefore('2026-11', sums)

  expect(months).toBe(3)
  expect(categories.get('Comida')).toEqual({ averageMinor: 55_00, lastMinor: 65_00 })
  expect(categories.get('Salud')).toEqual({ averageMinor: 10_00, lastMinor: 0 })
  expect(total).toEqual({ averageMinor: 65_00, lastMinor: 65_00 })
})

test('the months before the first transaction of a customer do not lower the mean', () => {
  const sums = sumsOf({ '2026-10': [expense('Comida', 40_00)], '2026-11': [] })

  expect(habitsBefore('2026-11', sums)).toMatchObject({ months: 1, total: { averageMinor: 40_00 } })
})

test('a month without a transaction lowers the mean of a customer who had one before it', () => {
  const sums = sumsOf({
    '2026-06': [],
    '2026-07': [],
    '2026-08': [],
    '2026-09': [],
    '2026-10': [expense('Comida', 900_00)],
  })

  expect(habitsBefore('2026-11', sums)).toMatchObject({ months: 3, total: { averageMinor: 300_00 } })
})

test('a customer whose first month is the current one has no habits', () => {
  const sums = sumsOf({ '2026-11': [expense('Comida', 40_00)] })

  expect(habitsBefore('2026-11', sums)).toMatchObject({ months: 0, total: { averageMinor: 0 } })
})

test('a proposed limit is rounded up to 5 dollars', () => {
  expect([0, 1, 5_00, 88_38, 797_50].map(proposedLimit)).toEqual([null, 5_00, 5_00, 90_00, 800_00])
})

test('a proposed limit in pesos is rounded up to 5,000 pesos', async () => {
  await serve(() => undefined, { displayCurrency: 'COP' })

  expect(proposedLimit(353_520_00)).toBe(355_000_00)
})

function sumsOf(months: Record<string, Part[]>): Sums {
  return {
    period: { since: '2026-06-01', until: '2026-11-30' },
    balanceMinor: minor(0),
    months: Object.entries(months).map(([month, parts]) => ({ month, balanceMinor: minor(0), parts })),
    spentMinorByDay: new Map(),
    coming: { payments: 0, amount: 0, recurs: false },
    bookedMinor: minor(0),
    notedMinor: minor(0),
    monthlyLimit: null,
  }
}

function expense(category: string, amountMinor: number, recordedBy: Part['recordedBy'] = 'customer'): Part {
  return { type: 'expense', category, recordedBy, amountMinor: minor(amountMinor), transactions: 1 }
}

function deposit(amountMinor: number): Part {
  return { ...expense('Deposito', amountMinor, 'bank'), type: 'deposit' }
}

function minor(amount: number): MinorUnits {
  return amount as MinorUnits
}
