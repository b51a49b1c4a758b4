import { useQuery } from '@tanstack/react-query'
import { Keyboard } from 'lucide-react'
import { memo, useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { HistoryActions } from '#features/transactions/export/download.tsx'
import { PrintedHistory, usePrinting } from '#features/transactions/export/printed-history.tsx'
import { advanceIndex, emptyIndex, type HistoryIndex } from '#features/transactions/history/history-index.ts'
import { useSingleKey } from '#features/transactions/keys/single-keys.ts'
import { listItems } from '#features/transactions/list/items.ts'
import { sumsInWords } from '#features/transactions/selection/periods.ts'
import { selectRows } from '#features/transactions/selection/selection.ts'
import { useSelection } from '#features/transactions/selection/use-selection.ts'
import type { History } from '#ledger/history.ts'
import { AmountsEye } from '#ledger/money-text.tsx'
import { historyQuery } from '#ledger/queries.ts'
import { fullNameOf, useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { transactionsCopy } from './copy.ts'
import { HistoryCard } from './history-card.tsx'
import { HistorySummary } from './history-summary.tsx'
import { useLateDialog } from '#ui/dialog/late-dialog.ts'
import './history.css'

const Summary = memo(HistorySummary)
const noPages: History['pages'] = []
const fetchKeys = async () => (await import('./keys/keys-dialog.tsx')).KeysDialog

export function TransactionsPage() {
  const user = useUser()
  const { data: history, isError, isFetching, refetch } = useQuery(historyQuery(user.id))
  const retry = () => void refetch()
  const [selection, setSelection] = useSelection()
  // Typing stays ahead of the list: the field shows the letter before the rows have followed.
  const shown = useDeferredValue(selection)
  const index = useHistoryIndex(history?.pages ?? noPages)
  const slots = useMemo(() => selectRows(index, shown), [index, shown])
  const items = useMemo(() => listItems(index, slots, shown.order), [index, slots, shown.order])
  const rowsShown = useCallback(
    () => Array.from(slots, (slot) => index.columns.rows[slot] as Transaction),
    [index, slots],
  )
  const isPrinting = usePrinting()
  const search = useRef<HTMLInputElement>(null)
  const keys = useLateDialog(fetchKeys)
  const openKeys = () => keys.open({})
  useSingleKey({ '/': () => search.current?.focus(), '?': openKeys })

  // A reading that has answered nothing yet is no empty history.
  const hasAnswer = history !== undefined && (history.isComplete || history.pages.length > 0)
  const isInterrupted = hasAnswer && isError && !history.isComplete
  const isWhole = isInterrupted || history?.isComplete === true
  return (
    <div className="history">
      <PageHeading
        documentTitle={transactionsCopy.documentTitle}
        heading={transactionsCopy.heading}
        note={
          hasAnswer && (
            <p role="status" className="figures text-sm text-muted">
              {isWhole
                ? transactionsCopy.count(slots.length)
                : isFetching
                  ? transactionsCopy.loadingMore(index.orders.date.length)
                  : transactionsCopy.newestOnly(index.orders.date.length)}
            </p>
          )
        }
      >
        <div className="-mr-3 flex items-center print:hidden">
          {slots.length > 0 && <HistoryActions rowsShown={rowsShown} />}
          <Button
            variant="muted"
            size="icon"
            aria-label={transactionsCopy.keys.open}
            aria-haspopup="dialog"
            onClick={openKeys}
          >
            <Keyboard aria-hidden="true" className="size-5" strokeWidth={1.75} />
          </Button>
          <AmountsEye className="hover:bg-primary-soft" />
        </div>
      </PageHeading>
      {hasAnswer ? (
        <>
          <Summary
            userId={user.id}
            // Sums of a part would pass for those of the whole.
            inMinor={history.isComplete ? items.inMinor : null}
            outMinor={history.isComplete ? items.outMinor : null}
            sumsOf={sumsInWords(shown)}
          />
          <HistoryCard
            {...{ index, items, selection, shown, search }}
            onSelect={setSelection}
            onRetry={isInterrupted ? retry : null}
          />
        </>
      ) : (
        <div className="grid min-h-[50svh] place-content-center">
          {isError ? <RetryLine onRetry={retry} /> : <Spinner label={transactionsCopy.loading} />}
        </div>
      )}
      {keys.dialog}
      {isPrinting && (
        <PrintedHistory
          customer={[fullNameOf(user), user.email].filter(Boolean).join(' · ')}
          selection={shown}
          rows={rowsShown()}
          items={items}
        />
      )}
    </div>
  )
}

function useHistoryIndex(pages: History['pages']): HistoryIndex {
  const [index, setIndex] = useState(() => advanceIndex(emptyIndex(), pages))
  const current = index.pages === pages ? index : advanceIndex(index, pages)
  if (current !== index) setIndex(current)
  return current
}
