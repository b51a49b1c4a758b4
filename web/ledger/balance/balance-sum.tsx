import { formatDateTime } from '#format/dates.ts'
import { displayedMinor, signedMinor } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { balanceCopy } from './copy.ts'
import type { BalanceExplanation } from './explanation.ts'

const { parts } = balanceCopy

/** The sums that make a balance. */
export function BalanceSum({ explanation }: { explanation: BalanceExplanation }) {
  const { openingMinor, depositsMinor, expensesMinor, correctionsMinor, balanceMinor } = explanation
  return (
    <div>
      <dl className="@container grid grid-cols-1 gap-2">
        <Line name={parts.opening} amount={displayedMinor(openingMinor)} />
        <Line name={parts.deposits} amount={signedMinor(depositsMinor)} />
        <Line name={parts.expenses} amount={signedMinor(expensesMinor)} />
        <Line
          name={parts.corrections}
          hint={balanceCopy.correctionsHint}
          amount={signedMinor(correctionsMinor)}
        />
        <Line name={parts.balance} amount={displayedMinor(balanceMinor)} isTotal />
      </dl>
      <p className="mt-4 text-sm text-muted">{journalSentence(explanation)}</p>
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

function journalSentence({ entries, last }: BalanceExplanation): string {
  if (last === null) return balanceCopy.journalEmpty
  const kind = balanceCopy.journalKinds[last.kind] ?? last.kind
  return `${balanceCopy.journalCount(entries)} ${balanceCopy.journalLast(kind, formatDateTime(last.recordedAt))}`
}
