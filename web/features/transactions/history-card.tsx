import { SearchX } from 'lucide-react'
import { memo, useCallback, useId, type Ref } from 'react'
import { Link } from 'react-router'
import type { Transaction } from '@finanzas/contract/rows.ts'
import type { HistoryIndex } from '#features/transactions/history/history-index.ts'
import type { ListItems } from '#features/transactions/list/items.ts'
import { TransactionList } from '#features/transactions/list/transaction-list.tsx'
import { useRemoval } from '#features/transactions/list/use-removal.ts'
import { FilterBar, RangeLine } from '#features/transactions/selection/filter-bar.tsx'
import { everything, isUnfiltered, type Selection } from '#features/transactions/selection/selection.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { transactionsCopy } from './copy.ts'
import { useLateDialog } from '#ui/dialog/late-dialog.ts'

type Props = {
  index: HistoryIndex
  items: ListItems
  /** What the controls show, and what the rows do, which follow. */
  selection: Selection
  shown: Selection
  onSelect: (selection: Selection) => void
  /** What is to be read again, where the reading ended before the history did. */
  onRetry: (() => void) | null
  search: Ref<HTMLInputElement>
}

// A key is drawn twice: the letter at once, the rows after it. Neither drawing repeats what only the other changes.
const Filters = memo(FilterBar)
const List = memo(TransactionList)

const fetchDetails = async () => (await import('#ledger/transaction/details-dialog.tsx')).DetailsDialog

export function HistoryCard({ index, items, selection, shown, onSelect, onRetry, search }: Props) {
  const titleId = useId()
  const remove = useRemoval()
  const details = useLateDialog(fetchDetails)
  const { open } = details
  const openRow = useCallback(
    (transaction: Transaction) => open({ transaction, onRemove: remove }),
    [open, remove],
  )
  const hasRows = index.orders.date.length > 0
  return (
    <section
      aria-labelledby={titleId}
      className="min-w-0 rounded-lg border border-line bg-surface print:hidden"
    >
      <h2 id={titleId} className="sr-only">
        {transactionsCopy.cardTitle}
      </h2>
      {(hasRows || !isUnfiltered(selection)) && (
        <Filters selection={selection} categories={index.categories} onChange={onSelect} search={search} />
      )}
      <RangeLine selection={selection} onChange={onSelect} />
      {onRetry !== null && (
        <div className="border-t border-line px-4 py-1 sm:px-6">
          <RetryLine onRetry={onRetry} />
        </div>
      )}
      {items.length === 0 ? (
        <EmptyResult isFiltered={!isUnfiltered(shown)} onClear={() => onSelect(everything)} />
      ) : (
        <List
          index={index}
          items={items}
          selectionKey={shown}
          isStaggered={isUnfiltered(shown) && shown.order === 'date'}
          onOpen={openRow}
          onRemove={remove}
        />
      )}
      {details.dialog}
    </section>
  )
}

function EmptyResult({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <div className="grid min-h-64 place-content-center justify-items-center gap-4 p-6 text-center text-muted">
      <SearchX aria-hidden="true" className="size-7" strokeWidth={1.5} />
      <p className="max-w-sm text-balance">{transactionsCopy.empty}</p>
      {isFiltered ? (
        <Button variant="outline" size="small" className="min-h-11" onClick={onClear}>
          {transactionsCopy.clearFilters}
        </Button>
      ) : (
        <Link to="/dashboard" className={buttonClass()}>
          {transactionsCopy.firstExpense}
        </Link>
      )}
    </div>
  )
}
