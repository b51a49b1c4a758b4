import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ChangeAccess } from '@finanzas/contract/functions.ts'
import { errorCode } from '#backend/errors.ts'
import { createRepeatableCall } from '#backend/functions.ts'
import { customerKeys, type Customer } from '#features/customers/customer.ts'
import { sentenceOf } from '#ledger/staff/sentence.ts'
import { useLateDialog } from '#ui/dialog/late-dialog.ts'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { accessCopy as copy } from './copy.ts'

/** What is to be done, without the person. */
export type AccessOrder = ChangeAccess extends infer Order
  ? Order extends object
    ? Omit<Order, 'userId'>
    : never
  : never

const fetchProof = async () => (await import('#session/proof/proof-dialog.tsx')).ProofDialog

/** Sends an order about the customer; where the bank wants a proof first, asks for it and sends the order again. */
export function useAccess({ id, name, email }: Customer): {
  isBusy: boolean
  /** Throws its refusal, but not that a proof is missing. */
  perform: (order: AccessOrder) => Promise<void>
  /** The same, with the refusal in a toast. */
  send: (order: AccessOrder) => void
  dialog: ReactNode
} {
  const client = useQueryClient()
  const [call] = useState(createRepeatableCall)
  const proof = useLateDialog(fetchProof)
  const { isBusy, run } = useTask((error) =>
    showFailure({ title: copy.failedTitle, description: sentenceOf(error) }),
  )
  const perform = async (order: AccessOrder) => {
    try {
      await call('manage-users', { ...order, userId: id })
    } catch (error) {
      if (errorCode(error) !== 'reauthentication_needed') throw error
      proof.open({ purpose: copy.proofPurpose, onProven: () => send(order) })
      return
    }
    showToast({ title: copy[order.action].done, description: newsOf(order, { name, email }) })
    await client.invalidateQueries({ queryKey: customerKeys.opened(id) })
  }
  const send = (order: AccessOrder) => run(() => perform(order))
  return { isBusy, perform, send, dialog: proof.dialog }
}

function newsOf(order: AccessOrder, { name, email }: { name: string; email: string }): string {
  if (order.action === 'resend') return copy.resend.doneText(email)
  return order.action === 'change_email' ? copy.change_email.doneText(order.email) : copy.told(name)
}
