import type { ReactNode } from 'react'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Card } from '#ui/card.tsx'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.budget

/** The customer's spending limit for this month, and the amount spent so far. */
export function BudgetCard({ customer }: { customer: Customer }) {
  const { monthly_limit: limit, month_spent: spent } = customer
  return (
    <Card title={copy.title}>
      <dl className="@container grid grid-cols-1 gap-2 p-4 text-sm sm:px-6">
        <Line name={copy.spent}>
          <MoneyText>{displayedMoney(spent)}</MoneyText>
        </Line>
        <Line name={copy.limit}>
          {limit === null ? copy.unset : <MoneyText>{displayedMoney(limit)}</MoneyText>}
        </Line>
        {limit !== null && (
          <Line name={spent > limit ? copy.exceeded : copy.left}>
            <MoneyText className={`font-medium ${spent > limit ? 'text-danger' : ''}`}>
              {displayedMoney(Math.abs(limit - spent))}
            </MoneyText>
          </Line>
        )}
      </dl>
    </Card>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-muted">{name}</dt>
      <dd className="ml-auto">{children}</dd>
    </div>
  )
}
