import type { ReactNode } from 'react'
import { formatAgo, formatDateTime, formatDateWithYear } from '#format/dates.ts'
import { staffCopy } from '#ledger/staff/copy.ts'
import { useUser } from '#session/session.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLateDialog } from '#ui/dialog/late-dialog.ts'
import { AccessActions } from './access/access-actions.tsx'
import { customersCopy } from './copy.ts'
import type { Customer } from './customer.ts'

const copy = customersCopy.access
const fetchRemove = async () => (await import('./remove-dialog.tsx')).RemoveDialog

/** How the customer gets in, and how they are kept out. */
export function AccessCard({ customer }: { customer: Customer }) {
  const isSelf = useUser().id === customer.id
  const remove = useLateDialog(fetchRemove)
  const { email, role, created_at, confirmed_at, last_sign_in_at, has_second_factor, sessions } = customer
  return (
    <Card title={copy.title}>
      <dl className="grid gap-x-6 gap-y-2 p-4 text-sm sm:grid-cols-[auto_1fr] sm:px-6">
        <Fact name={copy.email}>{email}</Fact>
        <Fact name={copy.role}>{staffCopy.roles[role]}</Fact>
        <Fact name={copy.since}>{formatDateWithYear(created_at)}</Fact>
        <Fact name={copy.confirmed}>{confirmed_at === null ? copy.no : formatDateTime(confirmed_at)}</Fact>
        <Fact name={copy.lastSignIn}>
          {last_sign_in_at === null ? copy.never : formatDateTime(last_sign_in_at)}
        </Fact>
        <Fact name={copy.secondFactor}>{has_second_factor ? copy.on : copy.off}</Fact>
        <Fact name={copy.sessions}>
          {sessions.length === 0 ? (
            copy.noSessions
          ) : (
            <ul className="grid gap-1">
              {sessions.map(({ begun_at, used_at }) => (
                <li key={begun_at}>{copy.session(formatDateTime(begun_at), formatAgo(used_at))}</li>
              ))}
            </ul>
          )}
        </Fact>
      </dl>
      {!isSelf && <AccessActions customer={customer} />}
      {!isSelf && (
        <div className="border-t border-line p-4 sm:px-6">
          <Button variant="danger" onClick={() => remove.open({ customer })}>
            {customersCopy.remove.open}
          </Button>
        </div>
      )}
      {remove.dialog}
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}
