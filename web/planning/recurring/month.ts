/** Adds up a month's recurring payments, and describes whether each of them is paid or missing. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { dayOf } from '#ui/format/dates.ts'
import { monthOf } from '#ui/format/months.ts'
import { recurringCopy as copy } from './copy.ts'
import type { Recurring, Rhythm } from './recurring.ts'
import { dayInWords } from './rhythm.ts'

/** Number of payments per year for each payment rhythm. */
const timesPerYear = { weekly: 52, biweekly: 26, monthly: 12, yearly: 1 } satisfies Record<Rhythm, number>

/**
 * Returns the number of active recurring payments, their average total per month, and the total of this month's missing
 * payments.
 */
export function monthOfPayments(recurring: readonly Recurring[]) {
  const active = recurring.filter(({ status }) => status === 'active')
  const sum = (timesOf: (each: Recurring) => number) =>
    active.reduce((total, each) => total + (minorFromDecimal(each.amount) ?? 0) * timesOf(each), 0)
  return {
    payments: active.length,
    monthlyMinor: Math.round(sum(({ rhythm }) => timesPerYear[rhythm]) / 12),
    missingMinor: sum(({ days }) => days.filter(({ paid_on }) => paid_on === null).length),
  }
}

/** Returns the first due day without a payment, which may be in the previous month. */
export function missingDay({ days }: Pick<Recurring, 'days'>): Recurring['days'][number] | undefined {
  return days.find(({ paid_on }) => paid_on === null)
}

/**
 * Returns `Pagado 8 nov`, `Falta, el 26`, `Atrasado` or `Atrasado, del 28 oct`. If this month does not have a due day,
 * returns the next due day.
 */
export function stateInWords({ status, days, next_due_on }: Recurring, today: string): string {
  if (status === 'paused') return copy.paused
  const missing = missingDay({ days })
  if (missing !== undefined) {
    const { due_on, is_overdue } = missing
    const isOfMonth = monthOf(due_on) === monthOf(today)
    if (is_overdue) return isOfMonth ? copy.overdue : copy.overdueFrom(dayInWords(due_on))
    return copy.missing(isOfMonth ? String(Number(due_on.slice(8))) : dayInWords(due_on))
  }
  const paidOn = days.at(-1)?.paid_on
  return typeof paidOn === 'string' ? copy.paid(dayInWords(paidOn)) : copy.next(dayInWords(next_due_on))
}

/**
 * Returns whether the customer may record a missing payment now. A transaction that is recorded more than three days
 * early would not settle the payment. The database records an automatic payment on its due day, so the customer may
 * record it only after that day.
 */
export function canRecord({ is_automatic, days }: Recurring, today: string): boolean {
  const missing = missingDay({ days })
  if (missing === undefined) return false
  return is_automatic ? missing.due_on < today : dayOf(missing.due_on) <= dayOf(today) + 3
}
