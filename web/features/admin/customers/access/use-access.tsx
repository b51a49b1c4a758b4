import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { createRepeatable } from '#backend/repeatable.ts'
import { customerKeys, type Customer } from '#features/admin/customers/customer.ts'
import { sentenceOf } from '#features/admin/forms/sentence.ts'
import { useProof } from '#session/proof/use-proof.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { changeAccess, type AccessOrder } from './access.ts'
import { accessCopy as copy } from './copy.ts'

/** Sends requests to change the customer's access. Asks staff to prove their identity if the bank requires it. */
export function useAccess({ id, name, email }: Customer): {
  isBusy: boolean
  /** Performs the action. Throws an error if the bank refuses the action. */
  perform: (order: AccessOrder) => Promise<void>
  /** Performs the action, and shows a toast if the bank refuses it. */
  send: (order: AccessOrder) => void
  dialog: ReactNode
} {
  const client = useQueryClient()
  const [repeat] = useState(createRepeatable)
  const { proven, dialog } = useProof(copy.proofPurpose)
  const { isBusy, run } = useTask((error) =>
    showFailure({ title: copy.failedTitle, description: sentenceOf(error) }),
  )
  const perform = async (order: AccessOrder) => {
    await proven(() => repeat(order, ({ key }) => changeAccess(id, order, key)))
    showToast({ title: copy[order.action].done, description: newsOf(order, { name, email }) })
    await client.invalidateQueries({ queryKey: customerKeys.opened(id) })
  }
  const send = (order: AccessOrder) => run(() => perform(order))
  return { isBusy, perform, send, dialog }
}

function newsOf(order: AccessOrder, { name, email }: { name: string; email: string }): string {
  if (order.action === 'resend') return copy.resend.doneText(email)
  return order.action === 'change_email' ? copy.change_email.doneText(order.email) : copy.told(name)
}
