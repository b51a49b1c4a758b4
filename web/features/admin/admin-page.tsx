import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { showToast } from '#ui/toast-store.ts'
import { adminCopy } from './copy.ts'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { RoleDialog } from './role-dialog.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'
import { UserTable } from './user-table.tsx'
import { searchUsers, usersQuery, type ListedUser } from './users.ts'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'role'; user: ListedUser }
  | { kind: 'transaction'; user: ListedUser }

export function AdminPage() {
  const { data: users, isPending, isError, errorUpdatedAt } = useQuery(usersQuery)
  const [search, setSearch] = useState('')
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const shownSearch = useDeferredValue(search)

  useEffect(() => {
    if (!isError) return
    showToast({
      title: adminCopy.loadFailedTitle,
      description: adminCopy.loadFailedText,
      variant: 'destructive',
    })
  }, [isError, errorUpdatedAt])

  // A list that could not be loaded is empty (spec §4), also when it had been loaded before.
  const listed = isError || users === undefined ? [] : searchUsers(users, shownSearch)
  const close = () => setDialog(null)

  return (
    <>
      <PageHeading documentTitle={adminCopy.documentTitle} heading={adminCopy.heading}>
        <Button onClick={() => setDialog({ kind: 'create' })}>
          <Plus aria-hidden="true" className="size-4.5" />
          {adminCopy.createUser}
        </Button>
      </PageHeading>
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
            onTransaction={(user) => setDialog({ kind: 'transaction', user })}
            onRole={(user) => setDialog({ kind: 'role', user })}
          />
        )}
      </Card>
      {dialog?.kind === 'create' && <CreateUserDialog onClose={close} />}
      {dialog?.kind === 'role' && <RoleDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'transaction' && <TransactionDialog user={dialog.user} onClose={close} />}
    </>
  )
}
