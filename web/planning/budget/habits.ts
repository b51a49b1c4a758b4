/** Compares this month's spending with the customer's own months before it, and derives limits from them. */
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { configuration } from '#api/configuration.ts'
import { sumOf } from '#amounts/amounts.ts'
import { spendingIn, type Sums } from '#planning/sums/sums.ts'
import { addMonths, monthsBetween } from '#ui/format/months.ts'

/** Number of whole months before the current month that make a habit. */
const habitMonths = 3

export type Habit = {
  /** Mean spending in a month. */
  averageMinor: number
  /** Spending in the previous month. */
  lastMinor: number
}

export type Habits = {
  /** Number of months that the means are made of: 0 for a customer whose first month is the current one. */
  months: number
  total: Habit
  /** Categories in which the customer spent money in these months. `null` stands for expenses without a category. */
  categories: ReadonlyMap<string | null, Habit>
}

/** Returns the habits before a month. The months before the customer's first transaction do not count. */
export function habitsBefore(month: string, sums: Sums): Habits {
  // The sums also contain the months in which the customer recorded nothing, from the first transaction on.
  const first = sums.months[0]?.month ?? month
  const last = addMonths(month, -1)
  const months = monthsBetween(addMonths(month, -habitMonths), last).filter((each) => each >= first)
  const spending = months.flatMap((each) => spendingIn(sums, each).map((part) => ({ ...part, month: each })))
  const habitOf = (parts: typeof spending) => ({
    averageMinor: parts.length === 0 ? 0 : Math.round(sumOf(parts) / months.length),
    lastMinor: sumOf(parts.filter((part) => part.month === last)),
  })
  return {
    months: months.length,
    total: habitOf(spending),
    categories: new Map(
      [...Map.groupBy(spending, ({ category }) => category)].map(([category, parts]) => [
        category,
        habitOf(parts),
      ]),
    ),
  }
}

/** Smallest unit of a proposed limit: 5 dollars, or 5,000 pesos. */
const proposalStepMinor = { USD: 500, COP: 500_000 }

/** Rounds spending up to a limit that a person would choose. Returns `null` if nothing was spent. */
export function proposedLimit(spentMinor: number): MinorUnits | null {
  const stepMinor = proposalStepMinor[configuration().displayCurrency === 'COP' ? 'COP' : 'USD']
  return spentMinor <= 0 ? null : ((Math.ceil(spentMinor / stepMinor) * stepMinor) as MinorUnits)
}
