import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { allottedOf, type CategoryBudgets } from './category-budgets.ts'
import { byAttention, openCategories, type OpenCategory } from './category-order.ts'
import { categoryBudgetCopy as copy } from './copy.ts'
import type { Habits } from './habits.ts'
import { LimitRow, OpenRow } from './category-row.tsx'

const limitDialog = lazyCode(() => import('./limit-dialog.tsx'), 'LimitDialog')

/** Number of categories without a limit that the card shows before the user asks for the others. */
const openShown = 5

type Props = {
  userId: string
  budgets: CategoryBudgets
  habits: Habits
  monthLimitMinor: MinorUnits | null
  today: string
}

/** All categories of the month in one list, with their limits and the spending. */
export function CategoriesCard({ userId, budgets, habits, monthLimitMinor, today }: Props) {
  const { open, dialog } = useLazyDialog(limitDialog)
  const [isWhole, setIsWhole] = useState(false)
  const { month, limits } = budgets
  const taken = limits.map(({ category }) => category)
  const free = openCategories(budgets, habits)
  const rest = free.length > openShown + 1 ? free.slice(openShown) : []
  const shown = isWhole || rest.length === 0 ? free : free.slice(0, openShown)
  const row = { userId, month, habits, today }
  return (
    <Card
      title={copy.categoriesTitle}
      className="budget-categories"
      action={
        limits.length > 0 && (
          <Allotted
            allottedMinor={limits.reduce((sum, limit) => sum + allottedOf(limit), 0)}
            monthLimitMinor={monthLimitMinor}
          />
        )
      }
    >
      {limits.length + free.length === 0 && (
        <p className="px-4 pt-4 text-sm text-muted sm:px-6">{copy.nothing}</p>
      )}
      <ul aria-label={copy.categoriesTitle} className="divide-y divide-line">
        {byAttention(limits).map((limit) => (
          <LimitRow
            key={limit.category}
            {...row}
            limit={limit}
            onEdit={() => open({ userId, limit, taken })}
          />
        ))}
        {shown.map((each) => (
          <OpenRow
            key={each.category ?? ''}
            {...row}
            open={each}
            onSetLimit={(category) => open({ userId, category, taken })}
          />
        ))}
      </ul>
      <div className="budget-foot">
        {rest.length > 0 && (
          <RestLine rest={rest} isShown={isWhole} onToggle={() => setIsWhole((whole) => !whole)} />
        )}
        <Button variant="quiet" className="-ml-4" onClick={() => open({ userId, taken })}>
          <Plus aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
          {copy.add}
        </Button>
      </div>
      {dialog}
    </Card>
  )
}

type RestProps = { rest: readonly OpenCategory[]; isShown: boolean; onToggle: () => void }

/** The sum of the categories that the card does not show, and the button that shows or hides them. */
function RestLine({ rest, isShown, onToggle }: RestProps) {
  return (
    <p className="budget-rest">
      <MoneyText within={(money) => copy.rest(rest.length) + money}>
        {displayedMinor(rest.reduce((sum, { spentMinor }) => sum + spentMinor, 0))}
      </MoneyText>
      <Button variant="quiet" className="-mr-4" aria-expanded={isShown} onClick={onToggle}>
        {isShown ? copy.hideRest : copy.showRest}
      </Button>
    </p>
  )
}

type AllottedProps = { allottedMinor: number; monthLimitMinor: MinorUnits | null }

/** Shows how much of the month's limit the limits of the categories take. */
function Allotted({ allottedMinor, monthLimitMinor }: AllottedProps) {
  const allotted = displayedMinor(allottedMinor)
  return (
    <p className="text-sm text-muted">
      {monthLimitMinor === null ? (
        <MoneyText within={copy.allotted}>{allotted}</MoneyText>
      ) : (
        <>
          <MoneyText within={copy.allottedOf}>{allotted}</MoneyText>
          <MoneyText within={copy.ofMonthLimit}>{displayedMinor(monthLimitMinor)}</MoneyText>
        </>
      )}
    </p>
  )
}
