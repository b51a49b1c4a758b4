import { AdminHeading } from '#features/admin/admin-heading.tsx'
import { SectionLinks } from '#features/admin/section-links.tsx'
import { useSearchParameters } from '#ui/address/address.tsx'
import { transferQueueCopy as copy } from './copy.ts'
import { DecidedTransfers } from './decided-transfers.tsx'
import { WaitingTransfers } from './waiting-transfers.tsx'
import './queue.css'

const views = [
  { section: 'waiting', to: '/admin/transferencias', label: copy.waiting },
  { section: 'decided', to: '/admin/transferencias?vista=decididas', label: copy.decided },
] as const

/** The customers' transfers that wait for an administrator's decision, and those that no longer wait. */
export function TransferQueuePage() {
  const [address] = useSearchParameters()
  const view = address.get('vista') === 'decididas' ? 'decided' : 'waiting'
  return (
    <>
      <AdminHeading documentTitle={copy.documentTitle} section="transfers" />
      <SectionLinks label={copy.views} sections={views} shown={view} className="queue-views" />
      {view === 'waiting' ? <WaitingTransfers /> : <DecidedTransfers />}
    </>
  )
}
