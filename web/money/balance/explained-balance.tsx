import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { formatDateTime } from '#ui/format/dates.ts'
import { displayedMinor, signedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { balanceCopy, type BalanceCopy } from './copy.ts'
import type { BalanceExplanation, explanationQuery } from './explanation.ts'
import { BalanceProof } from './proof.tsx'

type Props = Pick<ComponentProps<typeof BalanceProof>, 'readPages' | 'copy'> & {
  query: ReturnType<typeof explanationQuery>
  /** Content shown between the sums and the verification button. */
  children?: ReactNode
}

/** Shows the sums that add up to the balance, and a button that verifies these sums. */
export function ExplainedBalance({ query, readPages, copy = balanceCopy, children }: Props) {
  const client = useQueryClient()
  const explanation = useQuery(query)
  if (explanation.data !== undefined) {
    return (
      <div className="grid gap-6">
        <BalanceSum explanation={explanation.data} copy={copy} />
        {children}
        <BalanceProof
          explain={() => client.fetchQuery({ ...query, staleTime: 0 })}
          readPages={readPages}
          copy={copy}
        />
      </div>
    )
  }
  if (explanation.isError)
    return <RetryLine message={copy.loadFailed} onRetry={() => void explanation.refetch()} />
  return (
    <div aria-hidden="true" className="grid min-h-108 content-start gap-4 sm:min-h-92">
      {Object.keys(balanceCopy.parts).map((part) => (
        <div key={part} className="skeleton h-5" />
      ))}
    </div>
  )
}

/**
 * Shows the sums that add up to the balance: first by kind, and then by who recorded the entries, the bank or the
 * customer.
 */
function BalanceSum({ explanation, copy }: { explanation: BalanceExplanation; copy: BalanceCopy }) {
  const { parts } = copy
  const { openingMinor, depositsMinor, expensesMinor, correctionsMinor, balanceMinor } = explanation
  const { bookedMinor, notedMinor } = explanation
  return (
    <div>
      <dl className="@container grid grid-cols-1 gap-2">
        <Line name={parts.opening} amount={displayedMinor(openingMinor)} />
        <Line name={parts.deposits} amount={signedMinor(depositsMinor)} />
        <Line name={parts.expenses} amount={signedMinor(expensesMinor)} />
        <Line name={parts.corrections} hint={copy.correctionsHint} amount={signedMinor(correctionsMinor)} />
        <Line name={parts.balance} amount={displayedMinor(balanceMinor)} isTotal />
        <Line name={parts.booked} hint={copy.bookedHint} amount={displayedMinor(bookedMinor)} />
        <Line name={parts.noted} hint={copy.notedHint} amount={signedMinor(notedMinor)} />
      </dl>
      <p className="mt-4 text-sm text-muted">{journalSentence(explanation, copy)}</p>
    </div>
  )
}

type LineProps = { name: string; hint?: string; amount: string; isTotal?: boolean }

function Line({ name, hint, amount, isTotal = false }: LineProps) {
  return (
    <div
      className={`flex flex-wrap items-baseline justify-between gap-x-4 ${
        isTotal ? 'mt-1 border-t border-line pt-3 font-semibold' : ''
      }`}
    >
      <dt className="min-w-36 flex-1">
        {name}
        {hint !== undefined && <span className="block text-sm text-muted">{hint}</span>}
      </dt>
      <dd className="ml-auto">
        <MoneyText>{amount}</MoneyText>
      </dd>
    </div>
  )
}

function journalSentence({ entries, last }: BalanceExplanation, copy: BalanceCopy): string {
  if (last === null) return copy.journalEmpty
  const kind = copy.journalKinds[last.kind] ?? last.kind
  return `${copy.journalCount(entries)} ${copy.journalLast(kind, formatDateTime(last.recordedAt))}`
}
