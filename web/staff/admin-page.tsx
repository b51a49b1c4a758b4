import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParameters } from '#ui/address/address.tsx'
import { AdminHeading } from './admin-heading.tsx'
import { UsersCard } from '#staff/users/users-card.tsx'
import { usersKey } from '#staff/users/users.ts'
import { lazyCode, lazyComponent } from '#ui/lazy/lazy.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { Spinner } from '#ui/spinner.tsx'
import { adminCopy } from './copy.ts'

const transactionDialog = lazyCode(() => import('#staff/forms/transaction-dialog.tsx'), 'TransactionDialog')
const createDialog = lazyCode(() => import('#staff/users/dialogs.tsx'), 'CreateUserDialog')
const roleDialog = lazyCode(() => import('#staff/users/dialogs.tsx'), 'RoleDialog')

const audit = lazyComponent(() => import('#staff/audit/audit-card.tsx'), 'AuditCard')
const debt = lazyComponent(() => import('#staff/bank/bank-card.tsx'), 'BankCard')

const today = lazyComponent(() => import('#staff/today/today.tsx'), 'Today')

export function AdminPage() {
  const [address] = useSearchParameters()
  const section = sectionOf(address)
  const client = useQueryClient()
  const transaction = useLazyDialog(transactionDialog)
  const create = useLazyDialog(createDialog)
  const role = useLazyDialog(roleDialog)
  const onDone = () => client.invalidateQueries({ queryKey: usersKey })

  return (
    <>
      <AdminHeading documentTitle={adminCopy.documentTitle} section={section} />
      {section !== 'users' && (
        <Suspense fallback={<Spinner label={adminCopy.loading[section]} />}>
          {section === 'today' && <today.Component />}
          {section === 'audit' && <audit.Component />}
          {section === 'debt' && <debt.Component />}
        </Suspense>
      )}
      {section === 'users' && (
        <UsersCard
          onCreate={() => create.open({})}
          onTransaction={(user, type) => transaction.open({ user, type, onDone })}
          onRole={(user) => role.open({ user })}
        />
      )}
      {create.dialog}
      {role.dialog}
      {transaction.dialog}
    </>
  )
}

type View = keyof typeof adminCopy.loading

/** The sections that are views of this page, by the value of the URL parameter. */
const views: ReadonlyMap<string, View> = new Map([
  ['hoy', 'today'],
  ['registro', 'audit'],
  ['deuda', 'debt'],
])

function sectionOf(address: URLSearchParams): View | 'users' {
  return views.get(address.get('vista') ?? '') ?? 'users'
}
