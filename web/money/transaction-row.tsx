import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { formatDateShort } from '#ui/format/dates.ts'
import { displayedAmount } from '#amounts/amounts.ts'
import { useHasArrived } from '#data/arrivals.ts'
import { CategoryBadge, TransactionIcon } from '#categories/category-badge.tsx'
import { transactionsCopy } from './copy.ts'
import { MoneyText } from '#amounts/money-text.tsx'

type Props = {
  transaction: Transaction
  /**
   * Opens the transaction's details. If `onOpen` is given, the whole row is a button whose label is the description.
   */
  onOpen?: (() => void) | undefined
}

/**
 * Row for one of the latest transactions: type icon, description, badge, date and signed amount, and a note if the bank
 * recorded the transaction. The row's parent must have the class `rows`.
 */
export function TransactionRow({ transaction, onOpen }: Props) {
  const { id, type, description, date, recorded_by } = transaction
  const named = 'basis-full truncate font-medium'
  return (
    <div
      className={`row flex min-h-15 items-center gap-2.5 py-1.5 sm:min-h-18 sm:gap-4 ${useHasArrived(id) ? 'row-arrived' : ''}`}
    >
      <TransactionIcon transaction={transaction} by="type" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2">
        {onOpen === undefined ? (
          <p className={named} title={description} translate="no">
            {description}
          </p>
        ) : (
          <button
            type="button"
            aria-haspopup="dialog"
            title={description}
            translate="no"
            onClick={onOpen}
            className={`${named} text-left after:absolute after:inset-0 hover:underline`}
          >
            {description}
          </button>
        )}
        <span className="flex min-w-0">
          <CategoryBadge transaction={transaction} />
        </span>
        <time dateTime={date} className="text-xs whitespace-nowrap text-muted">
          {formatDateShort(date)}
        </time>
        <MoneyText
          className={`ml-auto text-right font-semibold ${type === 'deposit' ? 'text-positive' : ''}`}
        >
          {displayedAmount(transaction)}
        </MoneyText>
        {recorded_by === 'bank' && (
          <span className="basis-full text-xs text-muted">{transactionsCopy.recordedByBank}</span>
        )}
      </div>
    </div>
  )
}
