import type { ReactNode } from 'react'
import { CategoryBadge, TransactionIcon } from '#categories/category-badge.tsx'
import { dayInBogota, noonInBogota } from '#ui/format/dates.ts'
import { daysIn, monthOf } from '#ui/format/months.ts'
import { displayedMinor, displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useExpenseSubmission } from '#money/expense/expense.ts'
import { Button } from '#ui/button.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { recurringCopy as copy } from './copy.ts'
import { canRecord, missingDay, monthOfPayments, stateInWords } from './month.ts'
import type { Plan, Recurring } from './recurring.ts'
import { dayInWords, scheduleInWords } from './rhythm.ts'

/** Shows the number and monthly total of the active payments, and the total of this month's missing payments. */
export function MonthSummary({ recurring }: { recurring: readonly Recurring[] }) {
  const { payments, monthlyMinor, missingMinor } = monthOfPayments(recurring)
  if (payments === 0) return null
  const lastDay = daysIn(monthOf(dayInBogota()))
  return (
    <p className="@container basis-full pb-1 text-sm text-muted">
      <MoneyText within={(amount) => copy.monthly(payments, amount)}>
        {displayedMinor(monthlyMinor)}
      </MoneyText>
      {missingMinor === 0 ? (
        copy.nothingMissing
      ) : (
        <MoneyText className="inline-block" within={(amount) => copy.stillMissing(amount, lastDay)}>
          {displayedMinor(missingMinor)}
        </MoneyText>
      )}
    </p>
  )
}

type Props = { userId: string; recurring: readonly Recurring[]; onOpen: (recurring: Recurring) => void }

/** One row for each recurring expense. A click anywhere in a row opens the expense. */
export function RecurringList({ userId, recurring, onOpen }: Props) {
  const today = dayInBogota()
  return (
    <ul>
      {recurring.map((each) => (
        <li key={each.id} className="recurring-row relative">
          <PlanRow plan={each} onOpen={() => onOpen(each)}>
            <span className={missingDay(each)?.is_overdue === true ? 'font-medium text-danger' : ''}>
              {stateInWords(each, today)}
            </span>
          </PlanRow>
          {canRecord(each, today) && <RecordButton userId={userId} recurring={each} today={today} />}
          {each.refused.map(({ due_on }) => (
            <p key={due_on} className="recurring-refused">
              {copy.refused(dayInWords(due_on))}
            </p>
          ))}
        </li>
      ))}
    </ul>
  )
}

type RecordProps = { userId: string; recurring: Recurring; today: string }

/**
 * Button that records the first missing payment as an expense. If the due day has passed, the expense gets that date;
 * otherwise it gets the current time.
 */
function RecordButton({ userId, recurring, today }: RecordProps) {
  const submission = useExpenseSubmission(userId)
  const { isBusy, run } = useTask((error) => showFailure(submission.failure(error)))
  const { description, amount, category } = recurring
  const dueOn = missingDay(recurring)?.due_on ?? today
  const record = () =>
    run(async () => {
      const expense = {
        user_id: userId,
        type: 'expense',
        description,
        amount,
        category,
        ...(dueOn < today && { date: noonInBogota(dueOn) }),
      } as const
      showToast(submission.success(expense, await submission.send(expense)))
    })
  return (
    // This button is in front of the button that covers the row, so that the customer can click it.
    <div className="recurring-answers relative">
      <Button variant="outline" isBusy={isBusy} aria-label={copy.recordOf(description)} onClick={record}>
        {copy.record}
      </Button>
    </div>
  )
}

type RowProps = { plan: Plan; onOpen?: () => void; children: ReactNode }

/** A row that shows the description, rhythm and amount of an expense. */
export function PlanRow({ plan, onOpen, children }: RowProps) {
  const named = 'min-w-0 flex-[1_1_7rem] text-left font-medium wrap-anywhere'
  const filed = { type: 'expense', category: plan.category } as const
  return (
    <div className="recurring-plan">
      <TransactionIcon transaction={filed} by="category" />
      <div className="recurring-words @container">
        <div className="recurring-head">
          {onOpen === undefined ? (
            <p className={named} translate="no">
              {plan.description}
            </p>
          ) : (
            <button
              type="button"
              aria-haspopup="dialog"
              translate="no"
              onClick={onOpen}
              className={`${named} after:absolute after:inset-0 hover:underline`}
            >
              {plan.description}
            </button>
          )}
          <MoneyText className="recurring-amount figures">{displayedMoney(plan.amount)}</MoneyText>
        </div>
        <div className="items-center gap-x-3 sm:flex sm:flex-wrap">
          <p className="text-sm text-muted">
            {scheduleInWords(plan)}
            {' · '}
            <span className="inline-block">{children}</span>
          </p>
          <p className="mt-1 flex sm:mt-0">
            <CategoryBadge transaction={filed} />
          </p>
        </div>
      </div>
    </div>
  )
}
