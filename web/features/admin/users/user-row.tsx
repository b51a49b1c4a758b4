import { staffCopy } from '#features/admin/staff-copy.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, useRef, useState } from 'react'
import { Link } from '#ui/address/link.tsx'
import type { Role } from '@finanzas/contract/claims.ts'
import { createRepeatableCall } from '#backend/functions.ts'
import { adminCopy } from '#features/admin/copy.ts'
import { formatAgo, formatDateTime } from '#format/dates.ts'
import { initials } from '#format/text.ts'
import { useProof } from '#session/proof/use-proof.tsx'
import { useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { usersQuery, type ListedUser } from './users.ts'
import { sentenceOf } from '#features/admin/sentence.ts'

type Props = {
  user: ListedUser
  onTransaction: (user: ListedUser) => void
  onRole: (user: ListedUser) => void
}

/** Minimum height of a touch target. */
const touched = 'max-lg:min-h-11'
const cell = 'user-cell block lg:table-cell lg:pl-6'

export function UserRow({ user, onTransaction, onRole }: Props) {
  const { id, fullName, name, email, role } = user
  const isSelf = useUser().id === id
  const row = useRef<HTMLTableRowElement>(null)
  const { isDeleting, handleDelete, dialog } = useDelete(user, row)
  return (
    <tr
      ref={row}
      role="row"
      className="user-row grid gap-x-3 gap-y-1 px-4 py-4 sm:px-6 transition-colors hover:bg-sunken lg:table-row lg:p-0"
    >
      <td role="cell" className={`${cell} min-w-0 font-medium`}>
        <span className="flex min-w-0 items-center gap-3">
          <span
            aria-hidden="true"
            className="grid size-9 shrink-0 place-items-center rounded-full bg-primary-soft text-xs font-semibold text-primary"
          >
            {initials(name)}
          </span>
          <Link
            to={`/admin/clientes/${id}`}
            aria-label={fullName === '' ? `${staffCopy.unnamed}, ${name}` : undefined}
            className="user-link"
          >
            {fullName === '' ? <span className="font-normal text-muted">{staffCopy.unnamed}</span> : fullName}
          </Link>
          {isSelf && <span className="text-sm font-normal text-muted">{adminCopy.you}</span>}
        </span>
      </td>
      <td role="cell" className={`${cell} user-email col-span-2 min-w-0 pl-12 text-sm text-muted`}>
        <Email>{email}</Email>
      </td>
      <td role="cell" className={`${cell} user-role col-start-2 self-center`}>
        <RoleBadge role={role} />
      </td>
      <td role="cell" className={`${cell} user-seen col-span-2 pl-12 text-sm text-muted`}>
        <span className="lg:hidden">{`${adminCopy.columns.lastSignIn}: `}</span>
        <LastSignIn at={user.lastSignInAt} />
      </td>
      <td role="cell" className={`${cell} user-actions col-span-2`}>
        <span className="flex flex-wrap">
          <Button
            variant="quiet"
            size="small"
            className={touched}
            aria-label={adminCopy.newTransactionFor(name)}
            onClick={() => onTransaction(user)}
          >
            {adminCopy.newTransaction}
          </Button>
          <Button
            variant="quiet"
            size="small"
            className={touched}
            aria-label={adminCopy.editRoleOf(name)}
            onClick={() => onRole(user)}
          >
            {adminCopy.editRole}
          </Button>
          {/* The bank refuses this action on the caller's own account. */}
          {!isSelf && (
            <Button
              variant="danger"
              size="small"
              className={touched}
              isBusy={isDeleting}
              aria-label={adminCopy.removeUser(name)}
              onClick={handleDelete}
            >
              {adminCopy.remove}
            </Button>
          )}
        </span>
        {dialog}
      </td>
    </tr>
  )
}

/** Allows line breaks in an address after `@` and dots, and within a part only if the part alone is too long. */
function Email({ children }: { children: string }) {
  return children.split(/(?<=[@.])/).map((part, position) => (
    <Fragment key={position}>
      {position > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

function RoleBadge({ role }: { role: Role }) {
  const look = role === 'admin' ? 'border-brass text-warning bg-warning-soft' : 'border-line text-muted'
  return (
    <span className={`block w-fit rounded-sm border px-2 py-0.5 text-xs font-medium ${look}`}>
      {staffCopy.roles[role]}
    </span>
  )
}

/** Capitalizes a text that stands alone in its column. */
function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase('es') + text.slice(1)
}

function LastSignIn({ at }: { at: string | null }) {
  if (at === null) return adminCopy.never
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {capitalized(formatAgo(at))}
    </time>
  )
}

/**
 * Asks through the browser's own dialog, as the specification requires, and sends one deletion. The focus moves to the
 * next user before the row disappears.
 */
function useDelete({ id }: ListedUser, row: { current: HTMLElement | null }) {
  const client = useQueryClient()
  const [call] = useState(createRepeatableCall)
  const { proven, dialog } = useProof(adminCopy.removePurpose)
  const { isBusy: isDeleting, run } = useTask((error) =>
    showFailure({ title: adminCopy.removeFailedTitle, description: sentenceOf(error) }),
  )
  const askAndDelete = async () => {
    if (!window.confirm(adminCopy.removeQuestion)) return
    await proven(() => call('manage-users', { action: 'delete', userId: id }))
    showToast({ title: adminCopy.success, description: adminCopy.removedText })
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    neighbour?.querySelector('button')?.focus()
    await client.invalidateQueries(usersQuery)
  }
  return { isDeleting, handleDelete: () => run(askAndDelete), dialog }
}
