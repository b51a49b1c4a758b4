import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import type { History } from '#ledger/history.ts'
import { AmountsEye } from '#ledger/money-text.tsx'
import { historyQuery } from '#ledger/queries.ts'
import { useUser } from '#session/session.ts'
import { Card } from '#ui/card.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { transactionsCopy } from './copy.ts'
import { EmptyResult } from './empty-result.tsx'
import { FilterBar } from './filter-bar.tsx'
import { indexHistory, selectRows, type Selection } from './history-index.ts'
import { listItems } from './list-items.ts'
import { TransactionList } from './transaction-list.tsx'

const everything: Selection = { search: '', filter: { kind: 'all' }, order: 'date' }

export function TransactionsPage() {
  const user = useUser()
  const history = useQuery(historyQuery(user.id))
  return (
    <>
      <PageHeading documentTitle={transactionsCopy.documentTitle} heading={transactionsCopy.heading}>
        <AmountsEye className="-my-1 hover:bg-primary-soft" />
      </PageHeading>
      {history.data !== undefined ? (
        <HistoryCard history={history.data} />
      ) : (
        <div className="grid min-h-[50svh] place-content-center">
          {history.isError ? (
            <RetryLine
              message={transactionsCopy.loadFailed}
              retryLabel={transactionsCopy.retry}
              onRetry={() => void history.refetch()}
            />
          ) : (
            <Spinner label={transactionsCopy.loading} />
          )}
        </div>
      )}
    </>
  )
}

function HistoryCard({ history }: { history: History }) {
  const [selection, setSelection] = useState(everything)
  // Typing stays ahead of the list: the field shows the letter before the rows have followed.
  const shown = useDeferredValue(selection)
  const { pages, isComplete } = history
  const index = useMemo(() => indexHistory({ pages }), [pages])
  const positions = useMemo(() => selectRows(index, shown), [index, shown])
  const items = useMemo(() => listItems(index, positions, shown.order), [index, positions, shown.order])
  const isUnfiltered = shown.search.trim() === '' && shown.filter.kind === 'all'

  return (
    <Card
      title={transactionsCopy.cardTitle}
      action={
        <p role="status" className="figures text-sm text-muted">
          {isComplete
            ? transactionsCopy.count(positions.length)
            : transactionsCopy.loadingMore(index.rows.length)}
        </p>
      }
    >
      <FilterBar selection={selection} categories={index.categories} onChange={setSelection} />
      {positions.length === 0 ? (
        <EmptyResult isFiltered={!isUnfiltered} onClear={() => setSelection(everything)} />
      ) : (
        <TransactionList index={index} items={items} isStaggered={isUnfiltered && shown.order === 'date'} />
      )}
    </Card>
  )
}
