import type { ReactNode } from 'react'
import { deviceName } from '@finanzas/contract/people/device-name.ts'
import { formatAgo, formatDateTime, formatDateTimeShort, formatDateWithYear } from '#ui/format/dates.ts'
import { staffCopy } from '#staff/staff-copy.ts'
import { useUser } from '#people/session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { AccessActions } from '#staff/customers/access/access-actions.tsx'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.access
const removeDialog = lazyCode(() => import('./remove-dialog.tsx'), 'RemoveDialog')

/** Maximum number of sessions that the card lists, because a customer may have a hundred sessions. */
const sessionsMax = 2

/** The customer's access to the bank: e-mail address, second factors, sessions and blocks. */
export function AccessCard({ customer }: { customer: Customer }) {
  const isSelf = useUser().id === customer.id
  const remove = useLazyDialog(removeDialog)
  const {
    email,
    email_change: change,
    role,
    created_at,
    confirmed_at,
    last_sign_in_at,
    has_second_factor,
    sessions,
  } = customer
  return (
    <Card title={copy.title}>
      <dl className="customer-facts p-4 text-sm sm:px-6">
        <Fact name={copy.email}>
          <span translate="no">{email}</span>
        </Fact>
        {change !== null && (
          <Fact name={copy.emailChange}>
            {change.email}
            <span className="block text-muted">{originOf(change)}</span>
          </Fact>
        )}
        <Fact name={copy.role}>{staffCopy.roles[role]}</Fact>
        <Fact name={copy.since}>{formatDateWithYear(created_at)}</Fact>
        <Fact name={copy.confirmed}>{confirmed_at === null ? copy.no : formatDateTime(confirmed_at)}</Fact>
        <Fact name={copy.lastSignIn}>
          {last_sign_in_at === null ? copy.never : formatDateTime(last_sign_in_at)}
        </Fact>
        <Fact name={copy.secondFactor}>{has_second_factor ? copy.on : copy.off}</Fact>
        <Fact name={copy.sessions}>
          <Sessions sessions={sessions} />
        </Fact>
      </dl>
      {!isSelf && <AccessActions customer={customer} />}
      {!isSelf && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-3 sm:px-6">
          <p className="min-w-0 flex-1 basis-48 text-sm text-muted">{customersCopy.remove.about}</p>
          <Button
            variant="danger"
            size="small"
            className="-mr-3 -ml-3 max-lg:min-h-11"
            onClick={() => remove.open({ customer })}
          >
            {customersCopy.remove.open}
          </Button>
        </div>
      )}
      {remove.dialog}
    </Card>
  )
}

function Sessions({ sessions }: Pick<Customer, 'sessions'>) {
  if (sessions.length === 0) return copy.noSessions
  return (
    <ul className="grid gap-1">
      {sessions.slice(0, sessionsMax).map(({ begun_at, used_at, user_agent }) => (
        <li key={begun_at}>
          {user_agent === null ? copy.unknownDevice : deviceName(user_agent)}{' '}
          <span className="text-muted">
            {copy.session(formatDateTimeShort(begun_at), formatAgo(used_at))}
          </span>
        </li>
      ))}
      {sessions.length > sessionsMax && <li>{copy.moreSessions(sessions.length - sessionsMax)}</li>}
    </ul>
  )
}

function originOf({ begun_at, counts_at, is_confirmed }: NonNullable<Customer['email_change']>): string {
  const begun = formatDateTimeShort(begun_at)
  return counts_at === null
    ? copy.changeByCustomer(begun)
    : copy.changeByBank(begun, formatDateTimeShort(counts_at), is_confirmed)
}

/** A line of a card's list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}
