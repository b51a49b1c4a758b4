import type { ReactNode } from 'react'
import { transferWordsOf } from '@finanzas/contract/transfers/words.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { formatDateTime } from '#ui/format/dates.ts'
import { displayedAmount } from '#amounts/amounts.ts'
import { CategoryBadge } from '#categories/category-badge.tsx'
import { MoneyText } from '#amounts/money-text.tsx'
import { columnsCopy } from '#data/columns-copy.ts'
import { listCopy } from './copy.ts'

type Props = {
  transaction: Transaction
  /** Word that the text uses for the customer. The word is "you" by default, and another word in a text for staff. */
  customer?: string
  /** Additional lines about the transaction. */
  children?: ReactNode
}

const { details } = listCopy
const { names } = columnsCopy

/** Shows a transaction completely, including the data that do not fit into a row on a phone. */
export function Details({ transaction, customer = details.you, children }: Props) {
  const { type, date, description, recorded_by, origin } = transaction
  const words = origin === 'clerk' ? details.clerk[type] : listCopy.origins[origin]
  return (
    <>
      <div className="@container">
        <MoneyText className={`text-3xl font-semibold ${type === 'deposit' ? 'text-positive' : ''}`}>
          {displayedAmount(transaction)}
        </MoneyText>
      </div>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        <dt className="text-muted">{names.date}</dt>
        <dd className="text-balance">
          <time dateTime={date}>{formatDateTime(date)}</time>
        </dd>
        <dt className="text-muted">{names.category}</dt>
        <dd className="flex min-w-0">
          <CategoryBadge transaction={transaction} />
        </dd>
        <dt className="text-muted">{names.recorded_by}</dt>
        <dd>{recorded_by === 'bank' ? details.bank : customer}</dd>
        {words !== undefined && (
          <>
            <dt className="text-muted">{details.origin}</dt>
            <dd>{words}</dd>
          </>
        )}
      </dl>
      {recorded_by === 'bank' && transferWordsOf(description) !== null && (
        <p className="mt-4 text-sm text-muted">{details.declared}</p>
      )}
      {children}
    </>
  )
}
