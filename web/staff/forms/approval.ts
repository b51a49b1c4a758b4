import { configuration } from '#api/configuration.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import type { ToastMessage } from '#ui/toast/toast-store.ts'
import { staffCopy } from '#staff/staff-copy.ts'

/**
 * Body of a function's answer to an action of staff. The status is present only if the action waits for another
 * administrator.
 */
export type OrderAnswer = { id: string; status?: 'waiting' }

/**
 * Returns whether the signed-in administrator's order waits for another administrator. `id` is the id of the
 * correction, or of the user whose role or access is changed. Throws the table API's error.
 */
export async function waitsForApproval(id: string): Promise<boolean> {
  if (!configuration().hasApprovals) return false
  const client = await backend()
  return unwrap(await client.rpc('waits_for_approval', { id }))
}

/** Toast after an order that waits for another administrator. `go` opens an address of the page. */
export function waitingToast(go: (address: string) => void, description?: string): ToastMessage {
  return {
    title: staffCopy.approval.title,
    description: description ?? staffCopy.approval.text,
    action: { label: staffCopy.open, onSelect: () => go('/admin/solicitudes') },
  }
}
