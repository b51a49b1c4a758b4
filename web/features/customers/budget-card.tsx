import { displayedMoney } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { Card } from '#ui/card.tsx'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.budget

/** What the customer means to spend in this month, and what they have. */
export function BudgetCard({ customer }: { customer: Customer }) {
  const { monthly_limit: limit, month_spent: spent } = customer
  return (
    <Card title={copy.title}>
      <dl className="@container grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 p-4 text-sm sm:px-6">
        <dt className="text-muted">{copy.spent}</dt>
        <dd className="text-right">
          <MoneyText>{displayedMoney(spent)}</MoneyText>
        </dd>
        <dt className="text-muted">{copy.limit}</dt>
        <dd className="text-right">
          {limit === null ? copy.unset : <MoneyText>{displayedMoney(limit)}</MoneyText>}
        </dd>
        {limit !== null && (
          <>
            <dt className="text-muted">{spent > limit ? copy.exceeded : copy.left}</dt>
            <dd className={`text-right font-medium ${spent > limit ? 'text-danger' : ''}`}>
              <MoneyText>{displayedMoney(Math.abs(limit - spent))}</MoneyText>
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
