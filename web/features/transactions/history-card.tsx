import { SearchX } from 'lucide-react'
import { memo, useCallback, useDeferredValue, useMemo, useState } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { HistoryActions } from '#features/transactions/export/download.tsx'
import { PrintedHistory, usePrinting } from '#features/transactions/export/printed-history.tsx'
import { advanceIndex, emptyIndex, type HistoryIndex } from '#features/transactions/history/history-index.ts'
import { listItems } from '#features/transactions/list/items.ts'
import { TransactionList } from '#features/transactions/list/transaction-list.tsx'
import { useRemoval } from '#features/transactions/list/use-removal.ts'
import { FilterBar } from '#features/transactions/selection/filter-bar.tsx'
import { everything, isUnfiltered, selectRows } from '#features/transactions/selection/selection.ts'
import { useSelection } from '#features/transactions/selection/use-selection.ts'
import type { History } from '#ledger/history.ts'
import { fullNameOf, useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { transactionsCopy } from './copy.ts'
import { HistorySummary } from './history-summary.tsx'

type Props = {
  history: History
  /** Whether the reading ended before the history did. */
  isInterrupted: boolean
  onRetry: () => void
}

// A key is drawn twice: the letter at once, the rows after it. Neither drawing repeats what only the other changes.
const Summary = memo(HistorySummary)
const Filters = memo(FilterBar)
const List = memo(TransactionList)

export function HistoryCard({ history, isInterrupted, onRetry }: Props) {
  const user = useUser()
  const [selection, setSelection] = useSelection()
  // Typing stays ahead of the list: the field shows the letter before the rows have followed.
  const shown = useDeferredValue(selection)
  const index = useHistoryIndex(history.pages)
  const slots = useMemo(() => selectRows(index, shown), [index, shown])
  const items = useMemo(() => listItems(index, slots, shown.order), [index, slots, shown.order])
  const rowsShown = useCallback(
    () => Array.from(slots, (slot) => index.columns.rows[slot] as Transaction),
    [index, slots],
  )
  const remove = useRemoval()
  const isPrinting = usePrinting()

  return (
    <>
      <Summary
        userId={user.id}
        // Sums of a part would pass for those of the whole.
        inMinor={isInterrupted ? null : items.inMinor}
        outMinor={isInterrupted ? null : items.outMinor}
      />
      <Card
        title={transactionsCopy.cardTitle}
        className="print:hidden"
        action={
          <div className="flex flex-wrap items-center justify-end gap-x-1 sm:-mr-3">
            <p role="status" className="figures mr-1 text-sm text-muted sm:mr-3">
              {history.isComplete || isInterrupted
                ? transactionsCopy.count(slots.length)
                : transactionsCopy.loadingMore(index.orders.date.length)}
            </p>
            <HistoryActions rowsShown={rowsShown} />
          </div>
        }
      >
        <Filters selection={selection} categories={index.categories} onChange={setSelection} />
        {isInterrupted && (
          <div className="border-t border-line px-4 py-1 sm:px-6">
            <RetryLine onRetry={onRetry} />
          </div>
        )}
        {slots.length === 0 ? (
          <EmptyResult isFiltered={!isUnfiltered(shown)} onClear={() => setSelection(everything)} />
        ) : (
          <List
            index={index}
            items={items}
            selectionKey={shown}
            isStaggered={isUnfiltered(shown) && shown.order === 'date'}
            onRemove={remove}
          />
        )}
      </Card>
      {isPrinting && (
        <PrintedHistory
          customer={[fullNameOf(user), user.email].filter(Boolean).join(' · ')}
          selection={shown}
          rows={rowsShown()}
          items={items}
        />
      )}
    </>
  )
}

function useHistoryIndex(pages: History['pages']): HistoryIndex {
  const [index, setIndex] = useState(() => advanceIndex(emptyIndex(), pages))
  const current = index.pages === pages ? index : advanceIndex(index, pages)
  if (current !== index) setIndex(current)
  return current
}

function EmptyResult({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  return (
    <div className="grid min-h-64 place-content-center justify-items-center gap-4 border-t border-line p-6 text-center text-muted">
      <SearchX aria-hidden="true" className="size-7" strokeWidth={1.5} />
      <p className="max-w-sm text-balance">{transactionsCopy.empty}</p>
      {isFiltered && (
        <Button variant="outline" size="small" onClick={onClear}>
          {transactionsCopy.clearFilters}
        </Button>
      )}
    </div>
  )
}
