import { useQuery } from '@tanstack/react-query'
import { FileUp, Keyboard, Plus } from 'lucide-react'
import { memo, useRef } from 'react'
import { Link } from '#ui/address/link.tsx'
import { HistoryActions } from '#money/export/download.tsx'
import { PrintedHistory, usePrinting } from '#money/export/printed-history.tsx'
import { useSingleKey } from '#ui/single-keys.ts'
import { expenseCopy } from '#money/expense/copy.ts'
import { ExpenseButton } from '#money/expense/expense-button.tsx'
import { useShownRows } from '#money/list/use-shown-rows.ts'
import { sumsInWords } from '#money/selection/periods.ts'
import { AmountsEye } from '#amounts/money-text.tsx'
import { historyQuery } from '#data/queries.ts'
import { fullNameOf, useUser } from '#people/session/session.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { GhostRows } from '#ui/ghost-rows.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { useDeferredArrival } from '#ui/use-deferred-arrival.ts'
import { transactionsCopy } from './copy.ts'
import { HistoryCard } from './history-card.tsx'
import { HistorySummary } from './history-summary.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import './history.css'

const Summary = memo(HistorySummary)
const keysDialog = lazyCode(() => import('#money/keys/keys-dialog.tsx'), 'KeysDialog')

export function TransactionsPage() {
  const user = useUser()
  const { history, isFetching, isInterrupted, isComplete, hasFailed, retry } = useHistory(user.id)
  const rows = useShownRows(history)
  const { index, items, shown, rowsShown, rowCount } = rows
  const isPrinting = usePrinting()
  const search = useRef<HTMLInputElement>(null)
  const isWhole = isInterrupted || isComplete
  const readSoFar = transactionsCopy[isFetching ? 'loadingMore' : 'newestOnly'](index.orders.date.length)
  const keys = useLazyDialog(keysDialog)
  const openKeys = () => keys.open({})
  useSingleKey({ '/': () => search.current?.focus(), '?': openKeys })

  return (
    <div className="history-page">
      <PageHeading
        documentTitle={transactionsCopy.documentTitle}
        heading={transactionsCopy.heading}
        reading={
          history === undefined && !hasFailed && <Spinner size="small" label={transactionsCopy.loading} />
        }
        note={
          // Until the rows arrive, a space character keeps the height of the line that will show the number of rows.
          <p role="status" className="figures text-sm text-muted">
            {history === undefined ? '\u00A0' : isWhole ? transactionsCopy.count(rowCount) : readSoFar}
          </p>
        }
      >
        <Tools
          userId={user.id}
          isUnread={history === undefined}
          hasRows={rowCount > 0}
          {...{ rowsShown, openKeys }}
        />
      </PageHeading>
      <Summary
        userId={user.id}
        // The sums are shown only for a complete history, because partial sums would look like sums of all
        // transactions.
        inMinor={isComplete ? items.inMinor : null}
        outMinor={isComplete ? items.outMinor : null}
        sumsOf={sumsInWords(shown)}
      />
      <HistoryCard
        rows={rows}
        unread={
          history === undefined ? (
            <GhostRows>{hasFailed && <RetryLine look="block" onRetry={retry} />}</GhostRows>
          ) : undefined
        }
        onRetry={isInterrupted ? retry : null}
        search={search}
      />
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

function useHistory(userId: string) {
  // The history is read again on every visit to the page (docs/specification.md §2). Until the read ends, the page
  // shows the rows that it read earlier.
  const query = useQuery({ ...historyQuery(userId), refetchOnMount: 'always' })
  const { data, isError, isFetching, refetch } = query
  // While the history is incomplete, an empty list does not mean that the history is empty.
  const hasAnswer = data !== undefined && (data.isComplete || data.pages.length > 0)
  const history = useDeferredArrival(hasAnswer ? data : undefined)
  const retry = () => void refetch()
  const isInterrupted = history !== undefined && isError && !history.isComplete
  const isComplete = history?.isComplete === true
  const hasFailed = isError && !hasAnswer
  return { history, isFetching, isInterrupted, isComplete, hasFailed, retry }
}

type ToolsProps = {
  userId: string
  isUnread: boolean
  hasRows: boolean
  rowsShown: ReturnType<typeof useShownRows>['rowsShown']
  openKeys: () => void
}

/** The page's buttons. */
function Tools({ userId, isUnread, hasRows, rowsShown, openKeys }: ToolsProps) {
  return (
    <div className="flex flex-wrap items-center print:hidden">
      <ExpenseButton userId={userId} variant="quiet" aria-label={expenseCopy.add}>
        <Plus aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="sr-only lg:not-sr-only">{expenseCopy.addShort}</span>
      </ExpenseButton>
      <Link to="/transacciones/importar" className={buttonClass({ variant: 'quiet' })}>
        <FileUp aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
        <span className="sr-only lg:not-sr-only">{transactionsCopy.importFile}</span>
      </Link>
      {(isUnread || hasRows) && (
        // While the rows are being read, these buttons are disabled instead of hidden, so that the other buttons do
        // not move.
        <fieldset disabled={isUnread} className="contents">
          <HistoryActions rowsShown={rowsShown} />
        </fieldset>
      )}
      <Button
        variant="muted"
        size="icon"
        className="max-lg:hidden"
        aria-label={transactionsCopy.keys.open}
        aria-haspopup="dialog"
        onClick={openKeys}
      >
        <Keyboard aria-hidden="true" className="size-5" strokeWidth={1.75} />
      </Button>
      <AmountsEye />
    </div>
  )
}
