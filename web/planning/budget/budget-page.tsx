import { useQuery } from '@tanstack/react-query'
import { administratorExpenseCategory } from '@finanzas/contract/categories.ts'
import { formatMonth } from '#ui/format/months.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { categorizationCopy } from '#categories/copy.ts'
import { AmountsEye, MoneyText } from '#amounts/money-text.tsx'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { MoneyPages } from '#navigation/money-pages.tsx'
import { UnreadCard } from '#ui/ghost-rows.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { useKeptFocus } from '#ui/focus/use-kept-focus.ts'
import { allottedOf, categoryBudgetsQuery, type CategoryBudgets } from './category-budgets.ts'
import { categoryBudgetCopy as copy } from './copy.ts'
import { LimitRow } from './limit-row.tsx'
import './budget.css'

const limitDialog = lazyCode(() => import('./limit-dialog.tsx'), 'LimitDialog')

/** This month's category limits with the amounts spent, and the spending in categories without a limit. */
export function BudgetPage() {
  const user = useUser()
  const budgets = useQuery(categoryBudgetsQuery(user.id))
  return (
    <>
      <PageHeading documentTitle={copy.documentTitle} heading={copy.heading} below={<MoneyPages />}>
        <AmountsEye />
      </PageHeading>
      {budgets.data !== undefined ? (
        <Limits userId={user.id} budgets={budgets.data} />
      ) : (
        <UnreadCard query={budgets} loading={copy.loading} message={copy.unread} />
      )}
    </>
  )
}

function Limits({
  userId,
  budgets: { month, limits, others },
}: {
  userId: string
  budgets: CategoryBudgets
}) {
  const { open, dialog } = useLazyDialog(limitDialog)
  const area = useKeptFocus<HTMLDivElement>()
  const taken = limits.map(({ category }) => category)
  const title = copy.limitsTitle(formatMonth(month))
  return (
    <div ref={area} tabIndex={-1} className="budget-parts">
      <Card
        title={title}
        action={
          <Button variant="outline" size="touch" onClick={() => open({ userId, taken })}>
            {copy.add}
          </Button>
        }
      >
        {limits.length === 0 ? (
          <p className="px-4 py-4 text-sm text-muted sm:px-6">{copy.none}</p>
        ) : (
          <>
            <LimitTotals limits={limits} />
            <ul aria-label={title} className="divide-y divide-line">
              {limits.map((limit) => (
                <LimitRow
                  key={limit.category}
                  limit={limit}
                  month={month}
                  onEdit={() => open({ userId, limit, taken })}
                />
              ))}
            </ul>
          </>
        )}
      </Card>
      <Others month={month} others={others} onSetLimit={(category) => open({ userId, category, taken })} />
      {dialog}
    </div>
  )
}

type OthersProps = Pick<CategoryBudgets, 'month' | 'others'> & { onSetLimit: (category: string) => void }

/** The spending in categories without a limit. */
function Others({ month, others, onSetLimit }: OthersProps) {
  const title = copy.othersTitle(formatMonth(month))
  const othersMinor = others.reduce((sum, { spentMinor }) => sum + spentMinor, 0)
  return (
    <Card
      title={title}
      action={
        others.length > 0 && <MoneyText className="font-semibold">{displayedMinor(othersMinor)}</MoneyText>
      }
    >
      {others.length === 0 && <p className="px-4 py-4 text-sm text-muted sm:px-6">{copy.noOthers}</p>}
      <ul aria-label={title} className="divide-y divide-line">
        {others.map(({ category, spentMinor }) => (
          <li key={category} data-row={category} className="budget-other @container">
            <span className="budget-name">{nameOf(category)}</span>
            <MoneyText className="font-medium">{displayedMinor(spentMinor)}</MoneyText>
            {category !== null && category !== administratorExpenseCategory && (
              <Button
                variant="quiet"
                size="small"
                className="min-h-11"
                aria-label={copy.setLimitOf(category)}
                onClick={() => onSetLimit(category)}
              >
                {copy.setLimit}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function LimitTotals({ limits }: Pick<CategoryBudgets, 'limits'>) {
  const allottedMinor = limits.reduce((sum, limit) => sum + allottedOf(limit), 0)
  const spentMinor = limits.reduce((sum, limit) => sum + limit.spentMinor, 0)
  const leftMinor = allottedMinor - spentMinor
  const totals = [
    [copy.allotted, allottedMinor],
    [copy.spent, spentMinor],
    [leftMinor < 0 ? copy.missing : copy.left, Math.abs(leftMinor)],
  ] as const
  return (
    <dl aria-label={copy.totals} className="budget-totals">
      {totals.map(([name, minor]) => (
        <div key={name} className="@container">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className={`font-semibold ${name === copy.missing ? 'text-danger' : ''}`}>
            <MoneyText>{displayedMinor(minor)}</MoneyText>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/**
 * Returns the name that the page displays for a category. The category of the bank's charges has a reserved name that
 * customers cannot use.
 */
function nameOf(category: string | null): string {
  if (category === null) return categorizationCopy.noCategory
  return category === administratorExpenseCategory ? categorizationCopy.bankCharges : category
}
