import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useAddress, useSearchParameters } from '#ui/address/address.tsx'
import { adminCopy } from '#staff/copy.ts'
import { SectionLinks } from '#staff/section-links.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import type { Registered } from '#staff/forms/transaction-dialog.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { AccessCard } from './access-card.tsx'
import { BudgetCard } from './budget-card.tsx'
import { customersCopy } from './copy.ts'
import { CustomerHead } from './customer-head.tsx'
import { CustomerFailure } from './customer-failure.tsx'
import { customerKeys, customerQuery, type Customer } from './customer.ts'
import { HolderCard } from './holder-card.tsx'
import { Movements } from './movements.tsx'
import { PapersCard } from './papers-card.tsx'
import './customers.css'

/** The page on which staff see one customer. Opening this page adds an entry to the audit log. */
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
            back={{ to: '/admin', label: customersCopy.back }}
          />
          <div className="customer-waiting">
            {customer.isError ? (
              <CustomerFailure error={customer.error} onRetry={() => void customer.refetch()} />
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

const correctDialog = lazyCode(() => import('./correct-dialog.tsx'), 'CorrectDialog')

function OpenedCustomer({ customer }: { customer: Customer }) {
  const [address] = useSearchParameters()
  const client = useQueryClient()
  const reload = useCallback(
    () => client.invalidateQueries({ queryKey: customerKeys.all(customer.id) }),
    [client, customer.id],
  )
  const { open, dialog } = useLazyDialog(correctDialog)
  const correct = useCallback(
    (transaction: Registered) => open({ transaction, customer, reload }),
    [open, customer, reload],
  )
  const view = address.get('vista')
  const section = view === 'cuenta' ? 'account' : view === 'registro' ? 'audit' : 'movements'
  return (
    <>
      <CustomerHead customer={customer} reload={reload} onCorrect={correct} />
      <SectionLinks
        label={customersCopy.sections}
        sections={sections}
        shown={section}
        className="customer-sections"
      />
      {section === 'movements' ? (
        <Movements customer={customer} onCorrect={correct} />
      ) : section === 'audit' ? (
        <Register customer={customer} />
      ) : (
        <div className="grid items-start gap-4 customer-account">
          <div className="grid gap-4">
            <HolderCard customer={customer} />
            <BudgetCard customer={customer} />
            <PapersCard customer={customer} />
          </div>
          <AccessCard customer={customer} />
        </div>
      )}
      {dialog}
    </>
  )
}

const auditCard = lazyCode(() => import('#staff/audit/audit-card.tsx'), 'AuditCard')

/** The audit log, limited to entries about this customer. */
function Register({ customer }: { customer: Customer }) {
  const { data: AuditCard, error, refetch } = useLazyCode(auditCard)
  if (AuditCard !== undefined) return <AuditCard person={customer.id} />
  return (
    <div className="grid min-h-64 place-content-center">
      {error ? (
        <RetryLine message={error.message} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={adminCopy.loading.audit} />
      )}
    </div>
  )
}

const sections = [
  { section: 'movements', to: '?', label: customersCopy.movements },
  { section: 'account', to: '?vista=cuenta', label: customersCopy.account },
  { section: 'audit', to: '?vista=registro', label: adminCopy.audit },
] as const
