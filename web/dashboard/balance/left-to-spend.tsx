import { useQuery } from '@tanstack/react-query'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { BudgetSentence } from '#dashboard/budget/budget-card.tsx'
import { dashboardCopy } from '#dashboard/copy.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { daysIn, monthOf } from '#ui/format/months.ts'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { dashboardSumsQuery, spendingIn } from '#planning/sums/sums.ts'

/**
 * Shows how much of this month's budget is left, in total and per remaining day. The line keeps a constant height while
 * the figures load.
 */
export function LeftToSpend({ userId, now }: { userId: string; now: Date }) {
  const { data: sums } = useQuery(dashboardSumsQuery(userId, now))
  const today = dayInBogota(now)
  return (
    <p className="mb-2 min-h-5 text-sm">
      {typeof sums?.monthlyLimit === 'number' && (
        <Left
          leftMinor={(minorFromDecimal(sums.monthlyLimit) ?? 0) - sumOf(spendingIn(sums, monthOf(today)))}
          today={today}
        />
      )}
    </p>
  )
}

function Left({ leftMinor, today }: { leftMinor: number; today: string }) {
  const { leftInAll, leftByDay } = dashboardCopy
  if (leftMinor <= 0) return <BudgetSentence leftMinor={leftMinor} />
  const lastDay = daysIn(monthOf(today))
  // The remaining days include today. The daily amount is rounded down, so that the budget lasts until the end of the
  // month.
  const byDayMinor = Math.floor(leftMinor / (lastDay - Number(today.slice(8)) + 1))
  return (
    <>
      <MoneyText className="font-semibold" within={leftInAll}>
        {displayedMinor(leftMinor)}
      </MoneyText>
      <MoneyText className="text-on-vault-muted" within={(amount) => leftByDay(amount, lastDay)}>
        {displayedMinor(byDayMinor)}
      </MoneyText>
    </>
  )
}
