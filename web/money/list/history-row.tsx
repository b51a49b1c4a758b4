import { Landmark } from 'lucide-react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { CategoryBadge, TransactionIcon, shownCategory } from '#categories/category-badge.tsx'
import { formatDateInWords, formatDateShort } from '#ui/format/dates.ts'
import { useHasArrived } from '#data/arrivals.ts'
import { displayedAmount, spokenAmount } from '#amounts/amounts.ts'
import { moneyCopy } from '#amounts/copy.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { transactionsCopy } from '#money/copy.ts'
import { listCopy } from './copy.ts'

type Props = {
  transaction: Transaction
  /** Whether the row above shows the same day. */
  isDayRepeated: boolean
  onOpen: (transaction: Transaction) => void
  /** Opens the dialog for choosing a category. The function is missing if rows cannot be categorized. */
  onCategorize?: ((transaction: Transaction) => void) | undefined
  /** Deletes the transaction. The function is missing if rows cannot be deleted. */
  onRemove?: ((transaction: Transaction) => void) | undefined
}

/**
 * A row of the history. Icon, description, badge, date, signed amount and delete button are always visible
 * (docs/specification.md §2). The row's buttons are not tab stops, because the list moves the focus. The style sheet
 * draws the bin icon, because all visible rows render again after each typed letter. Icon components would take a sixth
 * of the rendering time.
 */
export function HistoryRow({ transaction, isDayRepeated, onOpen, onCategorize, onRemove }: Props) {
  const { id, type, description, date, recorded_by, origin } = transaction
  const [isHidden] = useAmountsHidden()
  const category = shownCategory(transaction)
  const day = formatDateInWords(date)
  const recorder = listCopy.origins[origin] ?? transactionsCopy.recordedByBank
  const amount = isHidden ? moneyCopy.hiddenAmount : spokenAmount(transaction)
  return (
    <div className={`row history-row ${useHasArrived(id) ? 'row-arrived' : ''}`}>
      <TransactionIcon transaction={transaction} by="category" />
      <p className="history-name">
        <button
          type="button"
          tabIndex={-1}
          aria-haspopup="dialog"
          aria-label={listCopy.row([description, category, day, amount])}
          aria-keyshortcuts={onRemove && 'Delete'}
          title={description}
          translate="no"
          onClick={() => onOpen(transaction)}
        >
          {description}
        </button>
        {recorded_by === 'bank' && (
          <span title={recorder}>
            <Landmark aria-hidden="true" strokeWidth={1.75} />
            <span className="sr-only">{recorder}</span>
          </span>
        )}
      </p>
      <div className="history-filed">
        {onCategorize === undefined ? (
          <CategoryBadge transaction={transaction} />
        ) : (
          <button
            type="button"
            tabIndex={-1}
            aria-haspopup="dialog"
            aria-keyshortcuts="c"
            aria-label={listCopy.categorize(category, [description, day, amount])}
            className="history-category"
            onClick={() => onCategorize(transaction)}
          >
            <CategoryBadge transaction={transaction} />
          </button>
        )}
        <time dateTime={date} className={isDayRepeated ? 'history-day-again' : ''}>
          {formatDateShort(date)}
        </time>
      </div>
      <MoneyText className={type === 'deposit' ? 'text-positive' : ''}>
        {displayedAmount(transaction)}
      </MoneyText>
      {onRemove !== undefined && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={listCopy.remove([description, day, amount])}
          className="history-remove"
          // The second click of a double click would delete the row that moved up under the pointer.
          onClick={({ detail }) => {
            if (detail <= 1) onRemove(transaction)
          }}
        />
      )}
    </div>
  )
}
