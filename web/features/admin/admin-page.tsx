import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import type { TransactionType } from '@finanzas/contract/rows.ts'
import { useSearchParameters } from '#ui/address/address.tsx'
import { AuditCard } from '#features/admin/audit/audit-card.tsx'
import { BankCard } from '#features/admin/bank/bank-card.tsx'
import { CreateUserDialog, RoleDialog } from '#features/admin/users/dialogs.tsx'
import { TransactionDialog } from './transaction-dialog.tsx'
import { AdminHeading, type AdminSection } from './admin-heading.tsx'
import { UsersCard } from '#features/admin/users/users-card.tsx'
import { usersKey, type ListedUser } from '#features/admin/users/users.ts'
import { Button } from '#ui/button.tsx'
import { adminCopy } from './copy.ts'

type OpenDialog =
  | { kind: 'create' }
  | { kind: 'role'; user: ListedUser }
  | { kind: 'transaction'; user: ListedUser; type: TransactionType }

export function AdminPage() {
  const [address] = useSearchParameters()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const section = sectionOf(address)
  // A late answer closes only the dialog that sent the request.
  const close = () => setDialog((opened) => (opened === dialog ? null : opened))
  const client = useQueryClient()

  return (
    <>
      <AdminHeading documentTitle={adminCopy.documentTitle} section={section}>
        {section === 'users' && (
          <Button size="small" className="max-lg:min-h-11" onClick={() => setDialog({ kind: 'create' })}>
            <Plus aria-hidden="true" className="size-4.5" />
            {adminCopy.createUser}
          </Button>
        )}
      </AdminHeading>
      {section === 'audit' ? (
        <AuditCard />
      ) : section === 'debt' ? (
        <BankCard />
      ) : (
        <UsersCard
          onTransaction={(user, type) => setDialog({ kind: 'transaction', user, type })}
          onRole={(user) => setDialog({ kind: 'role', user })}
        />
      )}
      {dialog?.kind === 'create' && <CreateUserDialog onClose={close} />}
      {dialog?.kind === 'role' && <RoleDialog user={dialog.user} onClose={close} />}
      {dialog?.kind === 'transaction' && (
        <TransactionDialog
          user={dialog.user}
          type={dialog.type}
          onDone={() => client.invalidateQueries({ queryKey: usersKey })}
          onClose={close}
        />
      )}
    </>
  )
}

function sectionOf(address: URLSearchParams): AdminSection {
  const view = address.get('vista')
  return view === 'registro' ? 'audit' : view === 'deuda' ? 'debt' : 'users'
}
