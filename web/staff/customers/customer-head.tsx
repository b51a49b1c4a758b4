import { Plus } from 'lucide-react'
import type { TransactionType } from '@finanzas/contract/wire/rows.ts'
import { formatDateTime } from '#ui/format/dates.ts'
import { SearchButton } from '#staff/search/search-button.tsx'
import { staffCopy } from '#staff/staff-copy.ts'
import type { Registered } from '#staff/forms/transaction-dialog.tsx'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { AmountsEye, MoneyText } from '#amounts/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { useUser } from '#people/session/session.ts'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { PageHeading } from '#ui/page-heading.tsx'
import { customersCopy as copy } from './copy.ts'
import type { Customer } from './customer.ts'

const transactionDialog = lazyCode(() => import('#staff/forms/transaction-dialog.tsx'), 'TransactionDialog')
const balanceDialog = lazyCode(() => import('./balance-dialog.tsx'), 'BalanceDialog')

type Props = { customer: Customer; reload: () => unknown; onCorrect: (transaction: Registered) => void }

/** The customer's name and balance, and the buttons for staff, in one line. */
export function CustomerHead({ customer, reload, onCorrect }: Props) {
  const transaction = useLazyDialog(transactionDialog)
  const balance = useLazyDialog(balanceDialog)
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
        note={<States customer={customer} />}
      >
        <div className="customer-money">
          <MoneyText className={`text-lg font-semibold ${customer.balance < 0 ? 'text-danger' : ''}`}>
            {displayedMoney(customer.balance)}
          </MoneyText>
          {customer.noted !== 0 && <Parts customer={customer} />}
          <Button
            variant="quiet"
            size="small"
            className="max-lg:min-h-11"
            onClick={() => balance.open({ customer })}
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

/** The balance without the customer's own notes, and the sum of these notes. */
function Parts({ customer: { booked, noted } }: { customer: Customer }) {
  return (
    <p className="text-sm text-muted">
      <MoneyText within={copy.booked}>{displayedMoney(booked)}</MoneyText>
      {' · '}
      <MoneyText within={copy.noted}>{displayedMoney(noted)}</MoneyText>
    </p>
  )
}

function States({ customer }: { customer: Customer }) {
  const { id, email, role, confirmed_at, banned_until, block_reason, has_second_factor } = customer
  const isOwn = useUser().id === id
  const { states } = copy
  return (
    <ul className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
      <li translate="no" className="min-w-0 wrap-anywhere">
        {email}
      </li>
      <State>{staffCopy.roles[role]}</State>
      {isOwn && <State isWarning>{staffCopy.ownAccount}</State>}
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

/** Describes a block. A permanent block is stored as a block that lasts a hundred years. */
function blockedInWords(until: string, reason: string | null): string {
  const { blocked, blockedForGood } = copy.states
  const isForGood = Date.parse(until) - Date.now() > 50 * 365 * 24 * 3600 * 1000
  const words = isForGood ? blockedForGood : blocked(formatDateTime(until))
  return reason === null ? words : `${words} · ${staffCopy.blockReasons[reason] ?? reason}`
}
