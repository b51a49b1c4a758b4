import type { ReactNode } from 'react'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { requestQueueCopy as copy } from './copy.ts'

type Props = {
  /** Headers of the columns, after the column with the check boxes if the table has one. */
  columns: Readonly<Record<string, string>>
  hasChoice: boolean
  query: { isPending: boolean; isError: boolean; refetch: () => unknown }
  isEmpty: boolean
  /** Text shown in place of an empty table. */
  empty: string
  children: ReactNode
}

/**
 * A table of requests, shown as cards on a phone. The roles are explicit because browsers drop a table's roles when its
 * `display` changes. After a failed read, the rows of the latest successful read stay on screen.
 */
export function QueueTable({ columns, hasChoice, query, isEmpty, empty, children }: Props) {
  if (isEmpty) {
    return (
      <div className="grid min-h-40 place-content-center p-6 text-center text-muted">
        {query.isPending ? (
          <Spinner label={copy.loading} />
        ) : query.isError ? (
          <RetryLine message={copy.unread} onRetry={() => void query.refetch()} />
        ) : (
          <p>{empty}</p>
        )}
      </div>
    )
  }
  return (
    <>
      {query.isError && (
        <div className="px-4 py-2">
          <RetryLine message={copy.unread} onRetry={() => void query.refetch()} />
        </div>
      )}
      <table role="table" className="queue-table block w-full text-left text-sm lg:table">
        <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
          <tr role="row" className="border-b border-line text-xs text-muted">
            {hasChoice && (
              <th role="columnheader" className="queue-choice">
                <span className="sr-only">{copy.choice}</span>
              </th>
            )}
            {Object.entries(columns).map(([name, column]) => (
              <th key={name} role="columnheader" className={`queue-${name} font-medium`}>
                {name === 'actions' ? <span className="sr-only">{column}</span> : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y divide-line lg:table-row-group">
          {children}
        </tbody>
      </table>
    </>
  )
}
