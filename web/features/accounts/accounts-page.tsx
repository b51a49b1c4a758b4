import { CreditCard, Landmark, PiggyBank } from 'lucide-react'
import { PageHeading } from '#ui/page-heading.tsx'
import { AccountCard, type AccountKind } from './account-card.tsx'
import { accountsCopy } from './copy.ts'

const accounts: readonly AccountKind[] = [
  {
    ...accountsCopy.savings,
    figure: accountsCopy.balance,
    icon: PiggyBank,
    ink: 'green',
    fields: [
      { name: 'bankName' },
      { name: 'accountHolder', autoComplete: 'name' },
      { name: 'accountNumber', inputMode: 'numeric' },
    ],
  },
  {
    ...accountsCopy.credit,
    figure: accountsCopy.debt,
    icon: CreditCard,
    ink: 'blue',
    fields: [
      { name: 'nameOnCard', autoComplete: 'cc-name' },
      { name: 'cardNumber', autoComplete: 'cc-number', inputMode: 'numeric' },
      { name: 'expiry', autoComplete: 'cc-exp', inputMode: 'numeric', isHalf: true },
      { name: 'securityCode', autoComplete: 'cc-csc', inputMode: 'numeric', isHalf: true },
    ],
  },
  {
    ...accountsCopy.checking,
    figure: accountsCopy.balance,
    icon: Landmark,
    ink: 'wine',
    fields: [
      { name: 'bankName' },
      { name: 'accountHolder', autoComplete: 'name' },
      { name: 'accountNumber', inputMode: 'numeric' },
    ],
  },
]

export function AccountsPage() {
  return (
    <>
      <PageHeading documentTitle={accountsCopy.documentTitle} heading={accountsCopy.heading} />
      <div className="grid grid-cols-1 gap-4 sm:gap-6 lg:grid-cols-3">
        {accounts.map((account) => (
          <AccountCard key={account.title} account={account} />
        ))}
      </div>
    </>
  )
}
