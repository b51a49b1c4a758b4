import { SearchX } from 'lucide-react'
import { memo, useId, type ReactNode, type Ref } from 'react'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { selectionCopy } from '#money/selection/copy.ts'
import { FilterBar, RangeLine, SuggestionButton } from '#money/selection/filter-bar.tsx'
import { everything, isUnfiltered } from '#money/selection/selection.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { listCopy } from './copy.ts'
import { TransactionList, type RowKeys } from './transaction-list.tsx'
import type { ShownRows } from './use-shown-rows.ts'
import './list.css'

type Props = {
  rows: ShownRows
  /** Content that is shown instead of the rows until the history has been read. */
  unread?: ReactNode
  /** Repeats the read of the history. `null` unless the read failed before the history was complete. */
  onRetry: (() => void) | null
  onOpen: (transaction: Transaction) => void
  /** The function is missing if rows cannot be categorized. */
  onCategorize?: (transaction: Transaction) => void
  /** The function is missing if rows cannot be removed. */
  onRemove?: (transaction: Transaction) => void
  keys?: RowKeys
  /** Content that is shown below the message that the history is empty. */
  firstStep?: ReactNode
  search?: Ref<HTMLInputElement>
}

// On a slow device, each key press causes two renders: one shows the typed letter, and the next shows the rows. With
// `memo`, each of these renders updates only the part that has changed.
const Filters = memo(FilterBar)
const List = memo(TransactionList)

/** Card with a history, its search field and its filters. */
export function ListCard({
  rows,
  unread,
  onRetry,
  onOpen,
  onCategorize,
  onRemove,
  keys,
  firstStep,
  search,
}: Props) {
  const titleId = useId()
  const { index, items, selection, shown, select } = rows
  const isEmpty = unread === undefined && items.length === 0
  return (
    <section
      aria-labelledby={titleId}
      className={`history min-w-0 rounded-lg border border-line bg-surface print:hidden ${onRemove === undefined ? '' : 'history-removable'}`}
    >
      <h2 id={titleId} className="sr-only">
        {listCopy.cardTitle}
      </h2>
      <Filters
        selection={selection}
        categories={index.categories}
        // The page of staff has no room for the order beside the list on a phone.
        hasOrder={onRemove === undefined}
        onChange={select}
        search={search}
      />
      {!isEmpty && (
        <p className="history-suggestion px-1 sm:px-3">
          <SuggestionButton selection={selection} onChange={select} variant="quiet" />
        </p>
      )}
      <RangeLine selection={selection} onChange={select} />
      {onRetry !== null && (
        <div className="border-t border-line px-4 py-1 sm:px-6">
          <RetryLine onRetry={onRetry} />
        </div>
      )}
      {unread !== undefined ? (
        <div className="border-t border-line px-4 sm:px-6">{unread}</div>
      ) : isEmpty ? (
        <EmptyResult hasRows={onRemove === undefined || index.orders.date.length > 0}>
          <SuggestionButton selection={selection} onChange={select} variant="primary" />
          {isUnfiltered(shown) ? firstStep : <ClearButton onClick={() => select(everything)} />}
        </EmptyResult>
      ) : (
        <List
          index={index}
          items={items}
          selectionKey={shown}
          onOpen={onOpen}
          onCategorize={onCategorize}
          onRemove={onRemove}
          keys={keys}
        />
      )}
    </section>
  )
}

function ClearButton({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="outline" size="small" className="min-h-11" onClick={onClick}>
      {selectionCopy.clearFilters}
    </Button>
  )
}

/** The message that the specification prescribes. If the history itself is empty, a heading precedes the message. */
function EmptyResult({ hasRows, children }: { hasRows: boolean; children: ReactNode }) {
  return (
    <div className="grid min-h-64 place-content-center justify-items-center gap-4 p-6 text-center text-muted">
      <SearchX aria-hidden="true" className="size-7" strokeWidth={1.5} />
      {!hasRows && <h3 className="font-semibold text-ink">{listCopy.none}</h3>}
      <p className="max-w-sm text-balance">{listCopy.empty}</p>
      {children}
    </div>
  )
}
