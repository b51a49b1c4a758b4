import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { MoreRows, type Pages } from './more-rows.tsx'

type Query = Pick<UseQueryResult, 'isPending' | 'isError' | 'refetch'>

type Props = {
  /** Prefix of the CSS classes of the table and its columns. */
  name: string
  /** Headers of the columns, after the column with the check boxes if the table has one. */
  columns: Readonly<Record<string, string>>
  /** Header of the column with the check boxes. */
  choice?: string
  query: Query | (Query & Pages)
  isEmpty: boolean
  /** Text shown in place of an empty table. */
  empty: string
  loading: string
  unread: string
  children: ReactNode
}

/**
 * A table of rows from the bank, shown as cards on a phone. The roles are explicit because browsers drop a table's roles
 * when its `display` changes. After a failed read, the rows of the latest successful read stay on screen.
 */
export function ListTable(props: Props) {
  const { name, columns, choice, query, isEmpty, empty, loading, unread, children } = props
  const retry = <RetryLine message={unread} onRetry={() => void query.refetch()} />
  if (isEmpty) {
    return (
      <div className="grid min-h-40 place-content-center p-6 text-center text-muted">
        {query.isPending ? <Spinner label={loading} /> : query.isError ? retry : <p>{empty}</p>}
      </div>
    )
  }
  const isPaged = 'fetchNextPage' in query
  return (
    <>
      {query.isError && !isPaged && <div className="px-4 py-2">{retry}</div>}
      <table role="table" className={`${name}-table block w-full text-left text-sm lg:table`}>
        <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
          <tr role="row" className="border-b border-line text-xs text-muted">
            {choice !== undefined && (
              <th role="columnheader" className={`${name}-choice`}>
                <span className="sr-only">{choice}</span>
              </th>
            )}
            {Object.entries(columns).map(([column, header]) => (
              <th key={column} role="columnheader" className={`${name}-${column} font-medium`}>
                {column === 'actions' ? <span className="sr-only">{header}</span> : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y divide-line lg:table-row-group">
          {children}
        </tbody>
      </table>
      {isPaged && <MoreRows pages={query} unread={unread} />}
    </>
  )
}
