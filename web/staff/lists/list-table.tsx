import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { Table } from '#ui/table.tsx'
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
 * A table of rows from the bank, shown as cards on a phone. After a failed read, the rows of the latest successful read
 * stay on screen.
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
      <Table
        className={`${name}-table block w-full text-left text-sm lg:table`}
        headClassName="sr-only lg:not-sr-only lg:table-header-group"
        headersClassName="border-b border-line text-xs text-muted"
        bodyClassName="block divide-y divide-line lg:table-row-group"
        columns={[
          ...(choice === undefined
            ? []
            : [{ name: choice, header: hidden(choice), className: `${name}-choice` }]),
          ...Object.entries(columns).map(([column, header]) => ({
            name: header,
            header: column === 'actions' ? hidden(header) : header,
            className: `${name}-${column} font-medium`,
          })),
        ]}
      >
        {children}
      </Table>
      {isPaged && <MoreRows pages={query} unread={unread} />}
    </>
  )
}

function hidden(header: string) {
  return <span className="sr-only">{header}</span>
}
