import type { ReactNode } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { formatDateShort } from '#format/dates.ts'
import { displayedAmount } from './amounts.ts'
import { CategoryBadge, TransactionIcon, type IconSubject } from './category-badge.tsx'
import { ledgerCopy } from './copy.ts'
import { MoneyText } from './money-text.tsx'

type Props = {
  transaction: Transaction
  /** What the icon shows. */
  iconBy: IconSubject
  /** The button at the end of the row, where the row can be deleted. */
  action?: ReactNode
}

/** One transaction: icon, description, badge, date, signed amount, and a note when the bank recorded it. */
export function TransactionRow({ transaction, iconBy, action }: Props) {
  const { type, description, date, recorded_by } = transaction
  return (
    <div className="flex min-h-15 items-center gap-2.5 py-1.5 sm:min-h-18 sm:gap-4 sm:py-3">
      <TransactionIcon transaction={transaction} by={iconBy} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="min-w-[min(5rem,100%)] flex-1 truncate font-medium" title={description}>
            {description}
          </span>
          <MoneyText
            className={`min-w-0 font-semibold wrap-anywhere whitespace-normal ${type === 'deposit' ? 'text-positive' : ''}`}
          >
            {displayedAmount(transaction)}
          </MoneyText>
        </p>
        <p className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-0.5 text-xs text-muted sm:mt-0.5 sm:gap-x-2 sm:text-sm">
          <CategoryBadge transaction={transaction} />
          <time dateTime={date}>{formatDateShort(date)}</time>
          {recorded_by === 'bank' && (
            <span className="text-xs">
              {action === undefined ? ledgerCopy.recordedByBank : ledgerCopy.recordedByBankRemovable}
            </span>
          )}
        </p>
      </div>
      {action}
    </div>
  )
}
