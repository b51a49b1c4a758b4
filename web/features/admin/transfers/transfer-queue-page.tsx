import { AdminHeading } from '#features/admin/admin-heading.tsx'
import { transferQueueCopy as copy } from './copy.ts'

/** The transfers that wait for a decision. */
export function TransferQueuePage() {
  return <AdminHeading documentTitle={copy.documentTitle} section="transfers" />
}
