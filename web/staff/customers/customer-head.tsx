import { Plus } from 'lucide-react'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { SearchButton } from '#staff/search/search-button.tsx'
import type { Registered } from '#staff/forms/transaction-dialog.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { AmountsEye, MoneyText } from '#amounts/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { customersCopy as copy } from './copy.ts'
import { CustomerParts, CustomerStates } from './customer-lines.tsx'
import type { Customer } from './customer.ts'

const transactionDialog = lazyCode(() => import('#staff/forms/transaction-dialog.tsx'), 'TransactionDialog')
const balanceDialog = lazyCode(() => import('./balance-dialog.tsx'), 'BalanceDialog')

type Props = { customer: Customer; reload: () => unknown; onCorrect: (transaction: Registered) => void }

/** The customer's name and balance, and the buttons for staff, in one line. */
export function CustomerHead({ customer, reload, onCorrect }: Props) {
  const transaction = useLazyDialog(transactionDialog)
  const balance = useLazyDialog(balanceDialog)
  const explain = () => balance.open({ customer })
  const register = (type: TransactionType) =>
    transaction.open({
      user: customer,
      type,
      nextAct: (registered) => ({
        label: copy.correct,
        onSelect: () => onCorrect(registered),
      }),
      onDone: reload,
    })
  return (
    <div className="customer-head">
      <PageHeading
        documentTitle={copy.documentTitle}
        heading={customer.name}
        isName
        back={{ to: '/admin', label: copy.back }}
        note={<CustomerStates customer={customer} />}
      >
        <div className="customer-money">
          <MoneyText className={`text-lg font-semibold ${customer.balance < 0 ? 'text-danger' : ''}`}>
            {displayedMoney(customer.balance)}
          </MoneyText>
          {customer.noted !== 0 && (
            <button type="button" className="customer-parts" onClick={explain}>
              <CustomerParts customer={customer} />
            </button>
          )}
          <Button
            variant="quiet"
            size="small"
            className={`max-lg:min-h-11 ${customer.noted === 0 ? '' : 'max-sm:hidden'}`}
            onClick={explain}
          >
            {copy.why}
          </Button>
          <AmountsEye className="hover:bg-primary-soft" />
          {(['deposit', 'expense'] as const).map((type) => (
            <Button
              key={type}
              variant={type === 'deposit' ? 'primary' : 'outline'}
              size="small"
              className="max-lg:min-h-11"
              onClick={() => register(type)}
            >
              <Plus aria-hidden="true" className="size-4.5" />
              {copy[type]}
            </Button>
          ))}
          <span className="customer-search">
            <SearchButton />
          </span>
        </div>
      </PageHeading>
      {transaction.dialog}
      {balance.dialog}
    </div>
  )
}
