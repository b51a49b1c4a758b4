import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { minorFromDecimal, type MinorUnits } from '@finanzas/contract/money.ts'
import { dashboardCopy } from '#dashboard/copy.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { firstDay, formatMonth, lastDay, monthOf } from '#ui/format/months.ts'
import { displayedMinor, sumOf } from '#amounts/amounts.ts'
import { Link } from '#ui/address/link.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { LimitMeter } from '#planning/sums/limit-meter.tsx'
import { dashboardSumsQuery, spendingIn } from '#planning/sums/sums.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { linkClass } from '#ui/page-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'

type Props = { userId: string; now: Date; className: string }

const spending = lazyCode(() => import('#dashboard/money/money-pictures.tsx'), 'Spending')
export const budgetDialog = lazyCode(() => import('#planning/budget/month-dialog.tsx'), 'BudgetDialog')

export function BudgetCard({ userId, now, className }: Props) {
  const { open, dialog } = useLazyDialog(budgetDialog)
  const sums = useQuery(dashboardSumsQuery(userId, now))
  const month = monthOf(dayInBogota(now))
  const limit = sums.data?.monthlyLimit ?? null
  const limitMinor = limit === null ? null : minorFromDecimal(limit)
  const period = { since: firstDay(month), until: lastDay(month) }
  const expenses = sums.data ? spendingIn(sums.data, month) : []
  const isEmpty = sums.data !== undefined && expenses.length === 0
  const { data: Spending } = useLazyCode(spending, sums.data !== undefined)
  const spentMinor = sumOf(expenses)
  const edit = () => open({ userId, limit, spentMinor: sums.data ? spentMinor : null })

  return (
    <Card
      title={dashboardCopy.budgetTitle}
      className={className}
      action={
        <Button
          variant="quiet"
          size="icon"
          className="-mr-3"
          aria-label={dashboardCopy.editBudget}
          onClick={edit}
        >
          <Pencil aria-hidden="true" className="size-4.5" />
        </Button>
      }
    >
      <div className={`p-4 sm:px-6 ${isEmpty ? '' : 'min-h-64'}`}>
        <div className="@container">
          {sums.data !== undefined ? (
            <>
              <BudgetState
                onSetLimit={edit}
                limitMinor={limitMinor}
                spentMinor={spentMinor}
                month={formatMonth(month)}
              />
              {expenses.length === 0 ? (
                <p className="mt-4 text-sm text-muted">{dashboardCopy.nothingSpent}</p>
              ) : (
                Spending !== undefined && <Spending {...{ expenses, period, limitMinor }} />
              )}
              {(isEmpty || Spending !== undefined) && (
                <Link to="/presupuesto" className={linkClass}>
                  {dashboardCopy.budgetByCategory}
                </Link>
              )}
            </>
          ) : sums.isError ? (
            <RetryLine onRetry={() => void sums.refetch()} />
          ) : (
            <div aria-hidden="true" className="skeleton h-8 w-40" />
          )}
        </div>
      </div>
      {dialog}
    </Card>
  )
}

type BudgetStateProps = {
  limitMinor: MinorUnits | null
  spentMinor: MinorUnits
  month: string
  onSetLimit: () => void
}

function BudgetState({ limitMinor, spentMinor, month, onSetLimit }: BudgetStateProps) {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <MoneyText className="text-xl font-semibold">{displayedMinor(spentMinor)}</MoneyText>
        <span className="text-sm text-muted">
          {limitMinor === null ? (
            dashboardCopy.spentIn(month)
          ) : (
            <MoneyText within={dashboardCopy.spentOf}>{displayedMinor(limitMinor)}</MoneyText>
          )}
        </span>
        {limitMinor !== null && limitMinor > spentMinor && (
          <MoneyText className="ml-auto text-sm" within={dashboardCopy.left}>
            {displayedMinor(limitMinor - spentMinor)}
          </MoneyText>
        )}
      </p>
      {limitMinor === null ? (
        <div className="mt-3 flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
          <p>{dashboardCopy.budgetUnset}</p>
          <Button variant="outline" onClick={onSetLimit}>
            {dashboardCopy.setBudget}
          </Button>
        </div>
      ) : (
        <LimitMeter label={dashboardCopy.budgetMeter} limitMinor={limitMinor} spentMinor={spentMinor} />
      )}
    </>
  )
}
