import { useQuery } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { adminCopy } from '#features/admin/copy.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { uiCopy } from '#ui/copy.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { UserRow } from './user-row.tsx'
import { searchUsers, usersQuery, type ListedUser } from './users.ts'

type Actions = { onTransaction: (user: ListedUser) => void; onRole: (user: ListedUser) => void }

export function UsersCard(actions: Actions) {
  const { data: users, isPending, isError, errorUpdatedAt, refetch } = useQuery(usersQuery)
  const [search, setSearch] = useState('')
  const shownSearch = useDeferredValue(search)

  useEffect(() => {
    if (isError) showFailure({ title: adminCopy.loadFailedTitle, description: adminCopy.loadFailedText })
  }, [isError, errorUpdatedAt])

  // After a failed read the list is empty (docs/specification.md §4), even if an earlier read succeeded.
  const listed = isError || users === undefined ? [] : searchUsers(users, shownSearch)

  return (
    <Card
      title={adminCopy.usersTitle}
      action={
        <p role="status" className="figures text-sm text-muted">
          {isPending ? null : adminCopy.count(listed.length)}
        </p>
      }
    >
      <search className="block border-b border-line p-4 sm:px-6">
        <SearchField
          label={adminCopy.search}
          placeholder={adminCopy.searchHint}
          value={search}
          onChange={setSearch}
        />
      </search>
      {isPending ? (
        <div className="grid min-h-64 place-content-center">
          <Spinner label={adminCopy.loading} />
        </div>
      ) : listed.length === 0 ? (
        <div className="grid min-h-40 place-content-center justify-items-center gap-4 p-6 text-center text-muted">
          <SearchX aria-hidden="true" className="size-7" strokeWidth={1.5} />
          {isError ? (
            <RetryLine message={adminCopy.noUsers} onRetry={() => void refetch()} />
          ) : (
            <p>{users?.length === 0 ? adminCopy.noUsers : adminCopy.empty}</p>
          )}
          {search.trim() !== '' && (
            <Button variant="outline" onClick={() => setSearch('')}>
              {uiCopy.clearSearch}
            </Button>
          )}
        </div>
      ) : (
        <UserTable
          // A new search shows only the first rows again.
          key={shownSearch}
          users={listed}
          {...actions}
        />
      )}
    </Card>
  )
}

const rowsStep = 50

const { columns } = adminCopy

/**
 * The users as a table on the desktop and as cards on the phone. The roles are explicit because browsers drop a table's
 * roles when its `display` changes.
 */
function UserTable({ users, ...actions }: Actions & { users: readonly ListedUser[] }) {
  const [rowsMax, setRowsMax] = useState(rowsStep)
  return (
    <>
      <table role="table" className="block w-full text-left lg:table">
        <thead role="rowgroup" className="sr-only lg:not-sr-only lg:table-header-group">
          <tr role="row" className="border-b border-line text-sm text-muted">
            {[columns.user, columns.email, columns.role, columns.lastSignIn].map((column) => (
              <th key={column} role="columnheader" className="py-2.5 pl-6 font-medium">
                {column}
              </th>
            ))}
            <th role="columnheader">
              <span className="sr-only">{columns.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody role="rowgroup" className="block divide-y divide-line lg:table-row-group">
          {users.slice(0, rowsMax).map((user) => (
            <UserRow key={user.id} user={user} {...actions} />
          ))}
        </tbody>
      </table>
      {users.length > rowsMax && (
        <div className="flex justify-center border-t border-line p-4">
          <Button variant="outline" size="small" onClick={() => setRowsMax(rowsMax + rowsStep)}>
            {adminCopy.showMore}
          </Button>
        </div>
      )}
    </>
  )
}
