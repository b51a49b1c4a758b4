import { staffCopy } from '#staff/staff-copy.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Link } from '#ui/address/link.tsx'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { createRepeatableCall } from '#api/functions.ts'
import { useGo } from '#ui/address/address.tsx'
import { waitingToast, type OrderAnswer } from '#staff/forms/approval.ts'
import { Cell, Row } from '#ui/table.tsx'
import { usersCopy } from './copy.ts'
import { handleTransactionKey } from '#staff/lists/list-keys.ts'
import { formatAgo, formatDateShort, formatDateTime } from '#ui/format/dates.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { usersKey, type ListedUser } from './users.ts'
import { showRefusal } from '#api/refusals.ts'
import { staffRefusals } from '#staff/forms/refusals.ts'

export type RowActions = {
  onTransaction: (user: ListedUser, type: TransactionType) => void
  onRole: (user: ListedUser) => void
}

const cell = 'user-cell block min-w-0 lg:table-cell'

export function UserRow({ user, ...actions }: { user: ListedUser } & RowActions) {
  const { id, fullName, name, email, role, figures } = user
  const isSelf = useUser().id === id
  const row = useRef<HTMLTableRowElement>(null)
  const { isDeleting, handleDelete, dialog } = useDelete(user, row)
  return (
    <Row
      ref={row}
      data-row=""
      className="user-row px-4 py-2 transition-colors hover:bg-sunken lg:table-row lg:p-0"
    >
      <Cell className={`${cell} user-name font-medium`}>
        <span className="flex min-w-0 items-center gap-2">
          <Link
            to={`/admin/clientes/${id}`}
            data-item=""
            aria-label={fullName === '' ? `${staffCopy.unnamed}, ${name}` : undefined}
            title={name}
            translate="no"
            className="user-link"
            onKeyDown={(event) => handleTransactionKey(event, (type) => actions.onTransaction(user, type))}
          >
            {fullName === '' ? <span className="font-normal text-muted">{staffCopy.unnamed}</span> : fullName}
          </Link>
          {isSelf && <Mark>{usersCopy.you}</Mark>}
          {user.isBlocked && <Mark isWarning>{usersCopy.blocked}</Mark>}
          {!user.isConfirmed && <Mark isWarning>{usersCopy.unconfirmed}</Mark>}
        </span>
      </Cell>
      <Cell translate="no" className={`${cell} user-email text-muted wrap-anywhere`}>
        {email}
      </Cell>
      <Cell className={`${cell} user-role`}>
        <Mark isWarning={role === 'admin'}>{staffCopy.roles[role]}</Mark>
      </Cell>
      <Cell className={`${cell} user-balance text-right font-medium`}>
        {figures === null ? (
          <Unread />
        ) : (
          <span className="@container block">
            <MoneyText className={figures.balance < 0 ? 'text-danger' : ''}>
              {displayedMoney(figures.balance)}
            </MoneyText>
          </span>
        )}
      </Cell>
      <Cell title={figures?.last?.description} className={`${cell} user-last truncate`}>
        {figures === null ? <Unread /> : <Last transaction={figures.last} />}
      </Cell>
      <Cell className={`${cell} user-seen text-muted`}>
        <span className="lg:hidden">{`${usersCopy.columns.last_sign_in}: `}</span>
        <LastSignIn at={user.lastSignInAt} />
      </Cell>
      <Cell className={`${cell} user-actions`}>
        <Actions user={user} isDeleting={isDeleting} onDelete={handleDelete} {...actions} />
        {dialog}
      </Cell>
    </Row>
  )
}

type ActionsProps = { user: ListedUser; isDeleting: boolean; onDelete: () => void } & RowActions

function Actions({ user, isDeleting, onDelete, onTransaction, onRole }: ActionsProps) {
  const { id, name } = user
  const isSelf = useUser().id === id
  return (
    <span className="flex items-center">
      <Button
        variant="quiet"
        size="small"
        aria-label={usersCopy.newTransactionFor(name)}
        onClick={() => onTransaction(user, 'deposit')}
      >
        {usersCopy.newTransaction}
      </Button>
      <RowMenu name={name} isBusy={isDeleting}>
        <Button variant="quiet" aria-label={usersCopy.editRoleOf(name)} onClick={() => onRole(user)}>
          {usersCopy.editRole}
        </Button>
        {/* Administrators do not see this button in their own row, because the bank does not let them delete their
            own account. */}
        {!isSelf && (
          <Button
            variant="danger"
            className="user-remove"
            aria-label={usersCopy.removeUser(name)}
            onClick={onDelete}
          >
            {usersCopy.remove}
          </Button>
        )}
      </RowMenu>
    </span>
  )
}

/** Dash in place of a figure that could not be read. */
function Unread() {
  return <span className="text-muted">{'—'}</span>
}

function Last({ transaction }: { transaction: { date: string; description: string } | null }) {
  if (transaction === null) return <span className="text-muted">{usersCopy.noTransaction}</span>
  return (
    <>
      <time dateTime={transaction.date} className="text-muted">
        {formatDateShort(transaction.date)}
      </time>
      {` · ${transaction.description}`}
    </>
  )
}

/** Menu with a row's rarely used actions. The menu closes on Escape, after a choice or on a click elsewhere. */
function RowMenu({ name, isBusy, children }: { name: string; isBusy: boolean; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return undefined
    menu.current?.querySelector('button')?.focus()
    const stop = new AbortController()
    const closeOutside = ({ target }: Event) => {
      if (!(target instanceof Node) || !menu.current?.parentElement?.contains(target)) setIsOpen(false)
    }
    for (const type of ['pointerdown', 'focusin'])
      document.addEventListener(type, closeOutside, { signal: stop.signal })
    return () => stop.abort()
  }, [isOpen])
  const closeByEscape = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape' || !isOpen) return
    setIsOpen(false)
    opener.current?.focus()
  }
  const closeAfterChoice = () => {
    // If the chosen action opens a dialog, closing the dialog returns the focus to this button.
    opener.current?.focus()
    setIsOpen(false)
  }
  return (
    <span className="relative" onKeyDown={closeByEscape}>
      <Button
        ref={opener}
        variant="muted"
        size="small"
        className="user-more"
        isBusy={isBusy}
        aria-label={usersCopy.more(name)}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {!isBusy && <Ellipsis aria-hidden="true" className="size-4.5" />}
      </Button>
      {isOpen && (
        <div
          ref={menu}
          className="user-menu z-20 grid rounded-md border border-line bg-raised shadow-float"
          onClick={closeAfterChoice}
        >
          {children}
        </div>
      )}
    </span>
  )
}

function Mark({ isWarning = false, children }: { isWarning?: boolean; children: string }) {
  const look = isWarning ? 'border-brass text-warning bg-warning-soft' : 'border-line text-muted'
  return (
    <span className={`block w-fit shrink-0 rounded-sm border px-1.5 text-xs font-medium ${look}`}>
      {children}
    </span>
  )
}

/** Capitalizes a text that is the only content of its column. */
function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase('es') + text.slice(1)
}

function LastSignIn({ at }: { at: string | null }) {
  if (at === null) return usersCopy.never
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {capitalized(formatAgo(at))}
    </time>
  )
}

/**
 * Asks for confirmation with the browser's own dialog, as the specification requires, and then deletes the user once.
 * The focus moves to the next user before the row disappears.
 */
function useDelete({ id }: ListedUser, row: { current: HTMLElement | null }) {
  const client = useQueryClient()
  const go = useGo()
  const [call] = useState(createRepeatableCall)
  const { proven, dialog } = useProof(usersCopy.removePurpose)
  const { isBusy: isDeleting, run } = useTask((error) =>
    showRefusal(error, {
      name: 'user deletion',
      title: usersCopy.removeFailedTitle,
      refusals: staffRefusals,
    }),
  )
  const askAndDelete = async () => {
    if (!window.confirm(usersCopy.removeQuestion)) return
    const { status } = await proven(() =>
      call<object, OrderAnswer>('manage-users', { action: 'delete', userId: id }),
    )
    if (status === 'waiting') {
      showToast(waitingToast(go))
      return
    }
    showToast({ title: usersCopy.success, description: usersCopy.removedText })
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    neighbour?.querySelector<HTMLElement>('[data-item]')?.focus()
    await client.invalidateQueries({ queryKey: usersKey })
  }
  return { isDeleting, handleDelete: () => run(askAndDelete), dialog }
}
