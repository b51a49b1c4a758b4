import { useQuery } from '@tanstack/react-query'
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { dayInBogota } from '#ui/format/dates.ts'
import { monthOf } from '#ui/format/months.ts'
import { AmountsEye } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { dashboardSumsQuery } from '#planning/sums/sums.ts'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { useKeptFocus } from '#ui/focus/use-kept-focus.ts'
import { CategoriesCard } from './categories-card.tsx'
import { categoryBudgetsQuery } from './category-budgets.ts'
import { categoryBudgetCopy as copy } from './copy.ts'
import { habitsBefore } from './habits.ts'
import { MissingCard } from './missing-card.tsx'
import { MonthPlate } from './month-plate.tsx'
import './budget.css'

/** This month's budget: its limit, then the spending and the limits by category, then the payments that are missing. */
export function BudgetPage() {
  const user = useUser()
  const today = dayInBogota()
  const budgets = useQuery(categoryBudgetsQuery(user.id))
  const sums = useQuery(dashboardSumsQuery(user.id, new Date()))
  const area = useKeptFocus<HTMLDivElement>()
  const monthLimit = sums.data?.monthlyLimit ?? null
  const limitMinor = monthLimit === null ? null : minorFromDecimal(monthLimit)
  const unread = { loading: copy.loading, message: copy.unread }
  return (
    <>
      <PageHeading documentTitle={copy.documentTitle} heading={copy.heading} below={<MoneyPages />}>
        <AmountsEye />
      </PageHeading>
      {sums.data === undefined ? (
        <UnreadCard query={sums} {...unread} />
      ) : (
        <div ref={area} tabIndex={-1} className="budget-parts">
          <MonthPlate userId={user.id} sums={sums.data} limitMinor={limitMinor} today={today} />
          {budgets.data === undefined ? (
            <UnreadCard query={budgets} {...unread} />
          ) : (
            <CategoriesCard
              userId={user.id}
              budgets={budgets.data}
              habits={habitsBefore(budgets.data.month, sums.data)}
              monthLimitMinor={limitMinor}
              // At the end of a month, the page's day and the bank's month may differ.
              today={monthOf(today) === budgets.data.month ? today : `${budgets.data.month}-01`}
            />
          )}
          <MissingCard userId={user.id} today={today} />
        </div>
      )}
    </>
  )
}
