import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button } from '#ui/button.tsx'
import { PageHeading } from '#ui/page-heading.tsx'
import { AdminSections, sectionOf } from './admin-sections.tsx'
import { AuditCard } from './audit/audit-card.tsx'
import { adminCopy } from './copy.ts'
import { CreateUserDialog } from './users/create-user-dialog.tsx'
import { RoleDialog } from './users/role-dialog.tsx'
import { TransactionDialog } from './users/transaction-dialog.tsx'
import type { ListedUser } from './users/users.ts'
import { UsersCard } from './users/users-card.tsx'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'role'; user: ListedUser }
  | { kind: 'transaction'; user: ListedUser }

export function AdminPage() {
  const [address] = useSearchParams()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const section = sectionOf(address)
  const close = () => setDialog(null)

  return (
    <>
      <PageHeading documentTitle={adminCopy.documentTitle} heading={adminCopy.heading}>
        {section === 'users' && (
          <Button onClick={() => setDialog({ kind: 'create' })}>
            <Plus aria-hidden="true" className="size-4.5" />
            {adminCopy.createUser}
          </Button>
        )}
      </PageHeading>
      <AdminSections shown={section} />
      {section === 'audit' ? (
        <AuditCard />
      ) : (
        <UsersCard
          onTransaction={(user) => setDialog({ kind: 'transaction', user })}
          onRole={(user) => setDialog({ kind: 'role', user })}
        />
      )}
      {dialog?.kind === 'create' && <CreateUserDialog onClose={close} />}
      {dialog?.kind === 'role' && <RoleDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'transaction' && <TransactionDialog user={dialog.user} onClose={close} />}
    </>
  )
}
