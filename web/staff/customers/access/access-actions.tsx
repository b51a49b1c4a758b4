import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { createRepeatable } from '#api/repeatable.ts'
import { customerKeys, type Customer } from '#staff/customers/customer.ts'
import { waitingToast } from '#staff/forms/approval.ts'
import { showRefusal } from '#api/refusals.ts'
import { staffRefusals } from '#staff/forms/refusals.ts'
import { useProof } from '#people/session/proof/use-proof.tsx'
import { useGo } from '#ui/address/address.tsx'
import { Button } from '#ui/button.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { changeAccess, type AccessOrder } from './access.ts'
import type { AskedAction } from './access-dialog.tsx'
import { accessCopy as copy } from './copy.ts'

const accessDialog = lazyCode(() => import('./access-dialog.tsx'), 'AccessDialog')

type Act = { open: string; about: string; isDangerous?: boolean; onClick: () => void }

/**
 * Buttons for changing a customer's access, depending on its current state. Staff do not see these buttons for their
 * own account.
 */
export function AccessActions({ customer }: { customer: Customer }) {
  const { isBusy, perform, send, dialog: proof } = useAccess(customer)
  const asked = useLazyDialog(accessDialog)
  const ask = (action: AskedAction): Act => ({
    open: copy[action].open,
    about: copy[action].about,
    onClick: () => asked.open({ action, name: customer.name, perform }),
  })
  const { role, confirmed_at, last_sign_in_at, banned_until, sessions, has_second_factor, email_change } =
    customer
  const isBlocked = banned_until !== null && Date.parse(banned_until) > Date.now()
  const isAdministrator = role === 'admin'
  const missing =
    confirmed_at === null ? 'confirmation' : last_sign_in_at === null ? 'invitation' : 'recovery'
  const acts: Act[] = [
    // A blocked customer cannot be invited. The operator helps an administrator.
    ...(!isBlocked && !(isAdministrator && missing === 'recovery')
      ? [
          {
            open: copy.resend.open[missing],
            about: copy.resend.about[missing],
            onClick: () => send({ action: 'resend' }),
          },
        ]
      : []),
    isBlocked ? ask('unblock') : { ...ask('block'), isDangerous: true },
    ...(sessions.length > 0 ? [ask('end_sessions')] : []),
    ...(has_second_factor && !isAdministrator ? [{ ...ask('reset_factor'), isDangerous: true }] : []),
    ...(isAdministrator ? [] : [ask('change_email')]),
    ...(email_change === null ? [] : [ask('cancel_email_change')]),
  ]
  return (
    <>
      <ul aria-label={copy.acts} className="divide-y divide-line border-t border-line">
        {acts.map(({ open, about, isDangerous = false, onClick }) => (
          <li
            key={open}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3 sm:px-6"
          >
            <p className="min-w-0 flex-1 basis-48 text-sm text-muted">{about}</p>
            <Button
              variant={isDangerous ? 'danger' : 'outline'}
              size="small"
              className={`max-lg:min-h-11 ${isDangerous ? '-mr-3 -ml-3' : ''}`}
              disabled={isBusy}
              onClick={onClick}
            >
              {open}
            </Button>
          </li>
        ))}
        {isAdministrator && <li className="px-4 py-3 text-sm text-muted sm:px-6">{copy.onlyOperator}</li>}
      </ul>
      {asked.dialog}
      {proof}
    </>
  )
}

/** Sends requests to change the customer's access. Asks staff for their password if the bank requires it. */
function useAccess(customer: Customer): {
  isBusy: boolean
  /** Performs the action. Throws an error if the bank refuses the action. */
  perform: (order: AccessOrder) => Promise<void>
  /** Performs the action, and shows a toast if the bank refuses it. */
  send: (order: AccessOrder) => void
  dialog: ReactNode
} {
  const { id } = customer
  const client = useQueryClient()
  const go = useGo()
  const [repeat] = useState(createRepeatable)
  const { proven, dialog } = useProof(copy.proofPurpose)
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, { name: 'access of a person', title: copy.failedTitle, refusals: staffRefusals }),
  )
  const perform = async (order: AccessOrder) => {
    const isWaiting = await proven(() => repeat(order, ({ key }) => changeAccess(customer, order, key)))
    showToast(
      isWaiting ? waitingToast(go) : { title: copy[order.action].done, description: newsOf(order, customer) },
    )
    await client.invalidateQueries({ queryKey: customerKeys.opened(id) })
  }
  const send = (order: AccessOrder) => run(() => perform(order))
  return { isBusy, perform, send, dialog }
}

function newsOf(order: AccessOrder, { name, email, last_sign_in_at: lastSignInAt }: Customer): string {
  if (order.action === 'resend')
    return copy.resend.doneText(email, lastSignInAt === null ? '24 horas' : '60 minutos')
  return order.action === 'change_email' ? copy.change_email.doneText(order.email) : copy.told(name)
}
