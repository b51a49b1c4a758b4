import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { administratorExpenseCategory } from '@finanzas/contract/categories.ts'
import { numberFromMinor, type MinorUnits } from '@finanzas/contract/money.ts'
import { showRefusal } from '#api/refusals.ts'
import { Link } from '#ui/address/link.tsx'
import { addMonths, firstDay, formatMonth, lastDay, partOfMonth } from '#ui/format/months.ts'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { TransactionIcon } from '#categories/category-badge.tsx'
import { categorizationCopy } from '#categories/copy.ts'
import { LimitMeter } from '#planning/sums/limit-meter.tsx'
import { historyPath } from '#planning/sums/paths.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { allottedOf, limitCall, setCategoryBudget, type CategoryLimit } from './category-budgets.ts'
import type { OpenCategory } from './category-order.ts'
import { categoryBudgetCopy as copy } from './copy.ts'
import { proposedLimit, type Habits } from './habits.ts'

type Props = { userId: string; month: string; habits: Habits; today: string }

/** A category with its limit: the amount spent, a bar, and one sentence that says how the limit stands. */
export function LimitRow({
  limit,
  month,
  habits,
  today,
  onEdit,
}: Props & { limit: CategoryLimit; onEdit: () => void }) {
  const { category, spentMinor } = limit
  const allottedMinor = allottedOf(limit)
  const leftMinor = allottedMinor - spentMinor
  const lastMinor = habits.categories.get(category)?.lastMinor ?? 0
  return (
    <CategoryRow category={category} month={month} spentMinor={spentMinor} limitMinor={allottedMinor}>
      <LimitMeter
        label={copy.meter(nameOf(category))}
        limitMinor={allottedMinor}
        spentMinor={spentMinor}
        passed={partOfMonth(today)}
      />
      <div className="budget-line">
        <p className={`text-sm ${leftMinor < 0 ? 'font-medium text-danger' : 'text-muted'}`}>
          {leftMinor === 0 ? (
            copy.reached
          ) : (
            <MoneyText within={leftMinor > 0 ? copy.left : copy.over}>
              {displayedMinor(Math.abs(leftMinor))}
            </MoneyText>
          )}
          {lastMinor > 0 && (
            <MoneyText within={copy.lastMonth(formatMonth(addMonths(month, -1)))}>
              {displayedMinor(lastMinor)}
            </MoneyText>
          )}
        </p>
        <Button variant="quiet" size="touch" className="-mr-3" onClick={onEdit}>
          <span>
            {copy.edit}
            <span className="sr-only">{copy.editOf(nameOf(category))}</span>
          </span>
        </Button>
      </div>
      <Carried limit={limit} month={month} />
    </CategoryRow>
  )
}

type OpenProps = Props & { open: OpenCategory; onSetLimit: (category: string) => void }

/** A category without a limit, with a limit that the customer's own months propose. One press saves it. */
export function OpenRow({ userId, open, month, habits, onSetLimit }: OpenProps) {
  const client = useQueryClient()
  const [isHidden] = useAmountsHidden()
  const { isBusy, run } = useTask((error) => showRefusal(error, limitCall))
  const { category, spentMinor, habit } = open
  // A customer cannot confirm an amount that the page hides.
  const proposalMinor = isHidden ? null : proposedLimit(habit.averageMinor || spentMinor)

  const save = (named: string, limitMinor: MinorUnits | null) =>
    setCategoryBudget(client, userId, {
      category: named,
      limit: limitMinor === null ? null : numberFromMinor(limitMinor),
      carriesOver: false,
    })
  const accept = (named: string, limitMinor: MinorUnits) =>
    run(async () => {
      await save(named, limitMinor)
      showToast({
        title: copy.savedTitle,
        description: copy.savedText(nameOf(named), displayedMinor(limitMinor)),
        action: {
          label: copy.undo,
          onSelect: () => void save(named, null).catch((error: unknown) => showRefusal(error, limitCall)),
        },
      })
    })

  return (
    <CategoryRow category={category} month={month} spentMinor={spentMinor}>
      <div className="budget-line">
        <p className="text-sm text-muted">
          <Usual open={open} month={month} habits={habits} />
        </p>
        {category !== null && (
          <Button
            variant="quiet"
            size="touch"
            className="-mr-3"
            isBusy={isBusy}
            onClick={() => (proposalMinor === null ? onSetLimit(category) : accept(category, proposalMinor))}
          >
            <span>
              {proposalMinor === null ? (
                copy.setLimit
              ) : (
                <MoneyText within={copy.setLimitTo}>{displayedMinor(proposalMinor)}</MoneyText>
              )}
              <span className="sr-only">{copy.ofCategory(nameOf(category))}</span>
            </span>
          </Button>
        )}
      </div>
    </CategoryRow>
  )
}

/** Compares the spending with the months before. A customer's first month has nothing to compare with. */
function Usual({ open: { spentMinor, habit }, month, habits }: Pick<OpenProps, 'open' | 'month' | 'habits'>) {
  if (habits.months === 0) return null
  if (habit.averageMinor === 0) return copy.firstTime(habits.months)
  if (habit.lastMinor === spentMinor) return copy.sameAs(formatMonth(addMonths(month, -1)))
  return (
    <>
      <MoneyText within={copy.average}>{displayedMinor(habit.averageMinor)}</MoneyText>
      <span className="max-sm:hidden">{copy.aMonth}</span>
    </>
  )
}

type RowProps = {
  category: string | null
  month: string
  spentMinor: number
  limitMinor?: number
  children: ReactNode
}

function CategoryRow({ category, month, spentMinor, limitMinor, children }: RowProps) {
  const name = nameOf(category)
  return (
    <li data-row={category} className="budget-row">
      <TransactionIcon transaction={{ type: 'expense', category }} by="category" />
      <div className="min-w-0 @container">
        <div className="budget-head">
          {category === null ? (
            <span className="budget-name">{name}</span>
          ) : (
            <Link
              to={historyPath({ since: firstDay(month), until: lastDay(month) }, category)}
              className="budget-name"
            >
              {name}
            </Link>
          )}
          <MoneyText className="font-semibold">{displayedMinor(spentMinor)}</MoneyText>
          <span className="budget-of">
            {limitMinor !== undefined && (
              <MoneyText within={copy.spentOf}>{displayedMinor(limitMinor)}</MoneyText>
            )}
          </span>
        </div>
        {children}
      </div>
    </li>
  )
}

function Carried({
  limit: { carriesOver, carriedMinor, since },
  month,
}: {
  limit: CategoryLimit
  month: string
}) {
  if (!carriesOver) return null
  const from = monthInWords(since, month)
  const sentence = carriedMinor > 0 ? copy.carried : copy.owed
  return (
    <p className="text-sm text-muted">
      {carriedMinor === 0 ? (
        copy.carriesFrom(from)
      ) : (
        <MoneyText within={(money) => sentence(money, from)}>
          {displayedMinor(Math.abs(carriedMinor))}
        </MoneyText>
      )}
    </p>
  )
}

/** Returns the month's name, for example `septiembre`. Adds the year if the name alone would be ambiguous. */
function monthInWords(since: string, month: string): string {
  const isNear = since > addMonths(month, -12)
  return isNear ? formatMonth(since) : `${formatMonth(since)} de ${since.slice(0, 4)}`
}

/**
 * Returns the name that the page displays for a category. The category of the bank's charges has a reserved name that
 * customers cannot use.
 */
function nameOf(category: string | null): string {
  if (category === null) return categorizationCopy.noCategory
  return category === administratorExpenseCategory ? categorizationCopy.bankCharges : category
}
