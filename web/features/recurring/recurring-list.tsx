import { CategoryBadge, TransactionIcon } from '#categorization/category-badge.tsx'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { recurringCopy as copy } from './copy.ts'
import type { Plan, Recurring } from './recurring.ts'
import { dayInWords, scheduleInWords } from './rhythm.ts'

type Props = { recurring: readonly Recurring[]; onOpen: (recurring: Recurring) => void }

/** One row for each recurring expense. Pressing anywhere in the row opens it. */
export function RecurringList({ recurring, onOpen }: Props) {
  return (
    <ul>
      {recurring.map((each) => (
        <li key={each.id} className="recurring-row relative">
          <PlanRow plan={each} onOpen={() => onOpen(each)}>
            {each.status === 'paused' ? copy.paused : copy.next(dayInWords(each.next_due_on))}
          </PlanRow>
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

type RowProps = { plan: Plan; onOpen?: () => void; children: string }

/** A row with description, rhythm and amount. */
export function PlanRow({ plan, onOpen, children }: RowProps) {
  const named = 'min-w-0 flex-[1_1_7rem] text-left font-medium wrap-anywhere'
  const filed = { type: 'expense', category: plan.category } as const
  return (
    <div className="recurring-plan">
      <TransactionIcon transaction={filed} by="category" />
      <div className="@container min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          {onOpen === undefined ? (
            <p className={named}>{plan.description}</p>
          ) : (
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={onOpen}
              className={`${named} after:absolute after:inset-0 hover:underline`}
            >
              {plan.description}
            </button>
          )}
          <MoneyText className="figures ml-auto font-semibold">{displayedMoney(plan.amount)}</MoneyText>
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
