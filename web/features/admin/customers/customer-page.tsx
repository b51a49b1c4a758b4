import { useQuery } from '@tanstack/react-query'
import { useAddress, useSearchParameters } from '#ui/address/address.tsx'
import { errorCode } from '@finanzas/contract/error-code.ts'
import { formatDateTime } from '#format/dates.ts'
import { SectionLinks } from '#features/admin/section-links.tsx'
import { staffCopy } from '#features/admin/staff-copy.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { AccessCard } from './access-card.tsx'
import { BudgetCard } from './budget-card.tsx'
import { customersCopy } from './copy.ts'
import { customerQuery, type Customer } from './customer.ts'
import { Movements } from './movements.tsx'
import './customers.css'

const backToPanel = { to: '/admin', label: customersCopy.back }

/** One customer, as staff see them. Opening this page writes an entry to the audit. */
export function CustomerPage() {
  const id = useAddress().pathname.split('/')[3] ?? ''
  const customer = useQuery(customerQuery(id))
  return (
    <>
      {customer.data === undefined ? (
        <>
          <PageHeading
            documentTitle={customersCopy.documentTitle}
            heading={customersCopy.heading}
            back={backToPanel}
          />
          <div className="grid customer-waiting place-content-center">
            {customer.isError ? (
              <Failure error={customer.error} onRetry={() => void customer.refetch()} />
            ) : (
              <Spinner label={customersCopy.loading} />
            )}
          </div>
        </>
      ) : (
        <OpenedCustomer customer={customer.data} />
      )}
    </>
  )
}

function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = errorCode(error)
  if (code === 'PT404' || code === '22P02') return <p className="text-muted">{customersCopy.missing}</p>
  if (code === '42501') return <p className="text-muted">{customersCopy.forbidden}</p>
  return <RetryLine message={customersCopy.failed} onRetry={onRetry} />
}

function OpenedCustomer({ customer }: { customer: Customer }) {
  const [address] = useSearchParameters()
  const section = address.get('vista') === 'cuenta' ? 'account' : 'movements'
  return (
    <>
      <PageHeading
        documentTitle={customersCopy.documentTitle}
        heading={customer.name}
        back={backToPanel}
        note={<States customer={customer} />}
      />
      <SectionLinks
        label={customersCopy.sections}
        sections={sections}
        shown={section}
        className="customer-sections"
      />
      {section === 'movements' ? (
        <Movements customer={customer} />
      ) : (
        <div className="grid items-start gap-4 customer-account">
          <BudgetCard customer={customer} />
          <AccessCard customer={customer} />
        </div>
      )}
    </>
  )
}

function States({ customer }: { customer: Customer }) {
  const { email, role, confirmed_at, banned_until, block_reason, has_second_factor } = customer
  const { states } = customersCopy
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <li className="min-w-0 wrap-anywhere">{email}</li>
      <State>{staffCopy.roles[role]}</State>
      {confirmed_at === null && <State isWarning>{states.unconfirmed}</State>}
      {banned_until !== null && Date.parse(banned_until) > Date.now() && (
        <State isWarning>{blockedInWords(banned_until, block_reason)}</State>
      )}
      {has_second_factor && <State>{states.secondFactor}</State>}
    </ul>
  )
}

function State({ isWarning = false, children }: { isWarning?: boolean; children: string }) {
  const look = isWarning ? 'border-brass bg-warning-soft text-warning' : 'border-line'
  return <li className={`rounded-sm border px-2 py-0.5 text-xs font-medium ${look}`}>{children}</li>
}

/** Describes a block. A permanent block is stored as a block of a hundred years. */
function blockedInWords(until: string, reason: string | null): string {
  const { blocked, blockedForGood } = customersCopy.states
  const isForGood = Date.parse(until) - Date.now() > 50 * 365 * 24 * 3600 * 1000
  const words = isForGood ? blockedForGood : blocked(formatDateTime(until))
  return reason === null ? words : `${words} · ${staffCopy.blockReasons[reason] ?? reason}`
}

const sections = [
  { section: 'movements', to: '?', label: customersCopy.movements },
  { section: 'account', to: '?vista=cuenta', label: customersCopy.account },
] as const
