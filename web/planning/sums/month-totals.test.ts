import { expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { monthTotals } from './month-totals.ts'
import type { Part, Sums } from './sums.ts'

const period = { since: '2026-06-01', until: '2026-11-30' }
const minor = (amount: number) => amount as MinorUnits
const part = (type: Part['type'], amount: number): Part => ({
  type,
  category: null,
  recordedBy: 'bank',
  amountMinor: minor(amount),
  transactions: 1,
})
const sums = (balance: number, months: Sums['months']): Sums => ({
  period,
  balanceMinor: minor(balance),
  months,
  spentMinorByDay: new Map(),
  coming: { payments: 0, amount: 0, recurs: false },
  bookedMinor: minor(balance),
  notedMinor: minor(0),
  monthlyLimit: null,
})

test('a month without transactions has the balance of the previous month or the opening balance', () => {
  const totals = monthTotals(
    sums(150, [
      { month: '2026-08', balanceMinor: minor(130), parts: [part('deposit', 50), part('expense', 20)] },
      { month: '2026-09', balanceMinor: minor(130), parts: [] },
      { month: '2026-10', balanceMinor: minor(150), parts: [part('deposit', 20)] },
    ]),
  )

  expect(
    totals.map(({ month, inMinor, outMinor, balanceMinor }) => [month, inMinor, outMinor, balanceMinor]),
  ).toEqual([
    ['2026-06', 0, 0, 100],
    ['2026-07', 0, 0, 100],
    ['2026-08', 50, 20, 130],
    ['2026-09', 0, 0, 130],
    ['2026-10', 20, 0, 150],
    ['2026-11', 0, 0, 150],
  ])
})

test('an account without transactions has the current balance in every month', () => {
  const totals = monthTotals(sums(0, []))

  expect(totals).toHaveLength(6)
  expect(new Set(totals.map(({ balanceMinor }) => balanceMinor))).toEqual(new Set([0]))
})
