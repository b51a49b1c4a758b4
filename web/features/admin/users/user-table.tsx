import { useState } from 'react'
import { adminCopy } from '#features/admin/copy.ts'
import { Button } from '#ui/button.tsx'
import { UserRow } from './user-row.tsx'
import type { ListedUser } from './users.ts'

type Props = {
  users: readonly ListedUser[]
  onTransaction: (user: ListedUser) => void
  onRole: (user: ListedUser) => void
}

/** Rows drawn at a time. */
const rowsStep = 50

const { columns } = adminCopy

/**
 * The users as a table on the desktop and as cards on the phone. The roles are written out because a
 * table that is laid out as anything else loses them.
 */
export function UserTable({ users, onTransaction, onRole }: Props) {
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
            <UserRow key={user.id} user={user} onTransaction={onTransaction} onRole={onRole} />
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
