import { monthOf, monthsBetween } from '#ui/format/months.ts'
import { sumOf } from '#amounts/amounts.ts'
import type { Part, Sums } from './sums.ts'

/** One month's income, spending and final balance, in minor units. */
export type MonthTotals = {
  month: string
  inMinor: number
  outMinor: number
  balanceMinor: number
}

/**
 * Returns the totals of every month in the period, including the months before the first transaction and after the last
 * transaction.
 */
export function monthTotals(sums: Sums): MonthTotals[] {
  const { since, until } = sums.period
  const known = new Map(sums.months.map((month) => [month.month, month]))
  const [first] = sums.months
  let heldMinor: number = first === undefined ? sums.balanceMinor : first.balanceMinor - netOf(first.parts)
  return monthsBetween(monthOf(since), monthOf(until)).map((month) => {
    const { parts = [], balanceMinor = heldMinor } = known.get(month) ?? {}
    heldMinor = balanceMinor
    return {
      month,
      inMinor: sumOf(parts.filter(({ type }) => type === 'deposit')),
      outMinor: sumOf(parts.filter(({ type }) => type !== 'deposit')),
      balanceMinor,
    }
  })
}

function netOf(parts: readonly Part[]): number {
  return parts.reduce(
    (net, { type, amountMinor }) => (type === 'deposit' ? net + amountMinor : net - amountMinor),
    0,
  )
}
