import type { BlockReason } from '@finanzas/contract/database-types.ts'
import { backend } from '#api/client.ts'
import { invokeFunction } from '#api/functions.ts'
import { unwrap } from '#api/unwrap.ts'
import type { Customer } from '#staff/customers/customer.ts'
import { waitsForApproval } from '#staff/forms/approval.ts'

/** A request by staff to change a person's access. */
export type AccessOrder =
  | { action: 'block'; reason: BlockReason; /** `null` means permanently. */ hours: number | null }
  | { action: keyof typeof routines }
  | { action: 'resend' }
  | { action: 'change_email'; email: string }

const routines = {
  unblock: 'unblock_user',
  end_sessions: 'end_sessions',
  reset_factor: 'reset_factor',
  cancel_email_change: 'cancel_email_change',
} as const

/**
 * Sends a request to change a person's access. Repeated calls with the same key take effect only once. Returns whether
 * the change waits for another administrator. Throws a `TableRefusal` or a `FunctionRefusal`.
 */
export async function changeAccess(
  { id: userId, role }: Pick<Customer, 'id' | 'role'>,
  order: AccessOrder,
  key: string,
): Promise<boolean> {
  if (order.action === 'resend' || order.action === 'change_email') {
    await invokeFunction('manage-users', { ...order, userId }, key)
    return false
  }
  const client = await backend()
  const person = { user_id: userId, idempotency_key: key }
  if (order.action === 'block') {
    const { reason, hours } = order
    unwrap(await client.rpc('block_user', { ...person, reason, ...(hours !== null && { hours }) }))
    return role === 'admin' && (await waitsForApproval(userId))
  }
  unwrap(await client.rpc(routines[order.action], person))
  return order.action === 'reset_factor' && (await waitsForApproval(userId))
}
