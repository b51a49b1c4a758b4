import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParameters } from '#ui/address/address.tsx'
import { Link } from '#ui/address/link.tsx'
import { AuditCard } from '#features/admin/audit/audit-card.tsx'
import { BankCard } from '#features/admin/bank/bank-card.tsx'
import { bankQuery } from '#features/admin/bank/bank.ts'
import { CreateUserDialog, RoleDialog } from '#features/admin/users/dialogs.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'
import { SectionLinks } from './section-links.tsx'
import { UsersCard } from '#features/admin/users/users-card.tsx'
import type { ListedUser } from '#features/admin/users/users.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { adminCopy } from './copy.ts'
import './admin.css'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'role'; user: ListedUser }
  | { kind: 'transaction'; user: ListedUser }

export function AdminPage() {
  const [address] = useSearchParameters()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const section = sectionOf(address)
  // A late answer closes only the dialog that sent the request.
  const close = () => setDialog((opened) => (opened === dialog ? null : opened))
  const client = useQueryClient()

  return (
    <>
      <PageHeading documentTitle={adminCopy.documentTitle} heading={adminCopy.heading}>
        {section === 'users' && (
          <div className="flex flex-wrap gap-3">
            <Link to="/admin/abonos" className={buttonClass({ variant: 'outline' })}>
              {adminCopy.batches}
            </Link>
            <Button onClick={() => setDialog({ kind: 'create' })}>
              <Plus aria-hidden="true" className="size-4.5" />
              {adminCopy.createUser}
            </Button>
          </div>
        )}
      </PageHeading>
      <SectionLinks
        label={adminCopy.sections}
        sections={sections}
        shown={section}
        className="-mt-2 mb-4 sm:mb-6"
      />
      {section === 'audit' ? (
        <AuditCard />
      ) : (
        <>
          <BankCard />
          <UsersCard
            onTransaction={(user) => setDialog({ kind: 'transaction', user })}
            onRole={(user) => setDialog({ kind: 'role', user })}
          />
        </>
      )}
      {dialog?.kind === 'create' && <CreateUserDialog onClose={close} />}
      {dialog?.kind === 'role' && <RoleDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'transaction' && (
        <TransactionDialog
          user={dialog.user}
          onDone={() => client.invalidateQueries(bankQuery)}
          onClose={close}
        />
      )}
    </>
  )
}

type AdminSection = 'users' | 'audit'

const sections: readonly { section: AdminSection; to: string; label: string }[] = [
  { section: 'users', to: '/admin', label: adminCopy.usersTitle },
  { section: 'audit', to: '/admin?vista=registro', label: adminCopy.auditTitle },
]

function sectionOf(address: URLSearchParams): AdminSection {
  return address.get('vista') === 'registro' ? 'audit' : 'users'
}
