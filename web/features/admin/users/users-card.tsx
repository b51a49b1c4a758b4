import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { adminCopy } from '#features/admin/copy.ts'
import { Card } from '#ui/card.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { UserTable } from './user-table.tsx'
import { searchUsers, usersQuery, type ListedUser } from './users.ts'

type Props = { onTransaction: (user: ListedUser) => void; onRole: (user: ListedUser) => void }

/** All accounts, searched by name, e-mail address and role. */
export function UsersCard({ onTransaction, onRole }: Props) {
  const { data: users, isPending, isError, errorUpdatedAt } = useQuery(usersQuery)
  const [search, setSearch] = useState('')
  const shownSearch = useDeferredValue(search)

  useEffect(() => {
    if (!isError) return
    showToast({
      title: adminCopy.loadFailedTitle,
      description: adminCopy.loadFailedText,
      variant: 'destructive',
    })
  }, [isError, errorUpdatedAt])

  // A list that could not be loaded is empty (docs/specification.md §4), also when it had been loaded before.
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
          clearLabel={adminCopy.clearSearch}
          value={search}
          onChange={setSearch}
        />
      </search>
      {isPending ? (
        <div className="grid min-h-64 place-content-center">
          <Spinner label={adminCopy.loading} />
        </div>
      ) : listed.length === 0 ? (
        <p className="grid min-h-40 place-content-center px-6 text-center text-muted">
          {isError || users?.length === 0 ? adminCopy.noUsers : adminCopy.empty}
        </p>
      ) : (
        <UserTable
          // A new search starts again with the first rows.
          key={shownSearch}
          users={listed}
          onTransaction={onTransaction}
          onRole={onRole}
        />
      )}
    </Card>
  )
}
