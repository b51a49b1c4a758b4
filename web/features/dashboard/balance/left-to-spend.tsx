import { useQuery } from '@tanstack/react-query'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { dashboardCopy } from '#features/dashboard/copy.ts'
import { dayInBogota } from '#format/dates.ts'
import { daysIn, monthOf } from '#format/months.ts'
import { monthlyLimitQuery } from '#ledger/queries.ts'
import { displayedMinor, sumOf } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { dashboardSumsQuery, spendingIn } from '#sums/sums.ts'

/** Rest of the month's budget, and its part for each day until the month ends. Keeps its line while it is read. */
export function LeftToSpend({ userId, now }: { userId: string; now: Date }) {
  const { data: limit } = useQuery(monthlyLimitQuery(userId))
  const { data: sums } = useQuery(dashboardSumsQuery(userId, now))
  const today = dayInBogota(now)
  return (
    <p className="mb-2 min-h-5 text-sm">
      {typeof limit === 'number' && sums !== undefined && (
        <Left
          leftMinor={(minorFromDecimal(limit) ?? 0) - sumOf(spendingIn(sums, monthOf(today)))}
          today={today}
        />
      )}
    </p>
  )
}

function Left({ leftMinor, today }: { leftMinor: number; today: string }) {
  const { leftInAll, leftByDay, budgetReached, budgetExceeded } = dashboardCopy
  if (leftMinor === 0) return budgetReached
  if (leftMinor < 0) return <MoneyText within={budgetExceeded}>{displayedMinor(-leftMinor)}</MoneyText>
  const lastDay = daysIn(monthOf(today))
  // Today is one of the days. A rounded-up part would not last until the end.
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
