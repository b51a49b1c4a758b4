import { hasFeature } from '#api/configuration.ts'
import { AdminHeading } from '#staff/admin-heading.tsx'
import { ClearingCard } from '#staff/clearing/clearing-card.tsx'
import { SectionLinks } from '#staff/section-links.tsx'
import { useSearchParameters } from '#ui/address/address.tsx'
import { requestQueueCopy as copy } from './copy.ts'
import { DecidedRequests } from './decided-requests.tsx'
import { WaitingRequests } from './waiting-requests.tsx'
import './queue.css'

const views = [
  { section: 'waiting', to: '/admin/solicitudes', label: copy.waiting },
  { section: 'decided', to: '/admin/solicitudes?vista=decididas', label: copy.decided },
] as const
const clearing = {
  section: 'clearing',
  to: '/admin/solicitudes?vista=compensacion',
  label: copy.clearing,
} as const

/**
 * Shows the requests that wait for a decision, the decided requests, and the clearing of transfers to other banks. A
 * request is a customer's transfer, or an act of an administrator that a second administrator must approve.
 */
export function RequestQueuePage() {
  const [address] = useSearchParameters()
  // A bank without transfers also has this page if some of its administrators' acts need a second administrator.
  const sections = hasFeature('transferencias') ? [...views, clearing] : views
  const view = sections.find(({ to }) => to.endsWith(`=${address.get('vista')}`))?.section ?? 'waiting'
  return (
    <>
      <AdminHeading documentTitle={copy.documentTitle} section="requests" />
      <SectionLinks label={copy.views} sections={sections} shown={view} className="mb-3 -ml-3" />
      {view === 'waiting' ? <WaitingRequests /> : view === 'decided' ? <DecidedRequests /> : <ClearingCard />}
    </>
  )
}
