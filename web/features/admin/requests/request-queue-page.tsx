import { AdminHeading } from '#features/admin/admin-heading.tsx'
import { SectionLinks } from '#features/admin/section-links.tsx'
import { useSearchParameters } from '#ui/address/address.tsx'
import { requestQueueCopy as copy } from './copy.ts'
import { DecidedRequests } from './decided-requests.tsx'
import { WaitingRequests } from './waiting-requests.tsx'
import './queue.css'

const views = [
  { section: 'waiting', to: '/admin/solicitudes', label: copy.waiting },
  { section: 'decided', to: '/admin/solicitudes?vista=decididas', label: copy.decided },
] as const

/**
 * The transfers of customers and the acts of administrators that wait for a decision, and those that no longer wait.
 */
export function RequestQueuePage() {
  const [address] = useSearchParameters()
  const view = address.get('vista') === 'decididas' ? 'decided' : 'waiting'
  return (
    <>
      <AdminHeading documentTitle={copy.documentTitle} section="requests" />
      <SectionLinks label={copy.views} sections={views} shown={view} className="queue-views" />
      {view === 'waiting' ? <WaitingRequests /> : <DecidedRequests />}
    </>
  )
}
