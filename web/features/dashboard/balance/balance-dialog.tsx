import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '#format/dates.ts'
import { displayedMinor, signedMinor } from '#ledger/amounts.ts'
import { MoneyText } from '#ledger/money-text.tsx'
import { useUser } from '#session/session.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { balanceCopy } from './copy.ts'
import { EditsList } from './edits-list.tsx'
import { explanationQuery, type BalanceExplanation } from './explanation.ts'
import { BalanceProof } from './proof.tsx'

const parts = balanceCopy.parts

/** Why the balance is what it is: the sums that make it, and the means to verify them. */
export function BalanceDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const explanation = useQuery(explanationQuery(user.id))
  return (
    <Dialog title={balanceCopy.title} description={balanceCopy.explained} onClose={onClose}>
      {explanation.data !== undefined ? (
        <div className="grid gap-6">
          <Sum explanation={explanation.data} />
          <EditsList userId={user.id} />
          <BalanceProof userId={user.id} />
        </div>
      ) : explanation.isError ? (
        <RetryLine message={balanceCopy.loadFailed} onRetry={() => void explanation.refetch()} />
      ) : (
        <div aria-hidden="true" className="grid min-h-108 content-start gap-4 sm:min-h-92">
          {Object.keys(parts).map((part) => (
            <div key={part} className="skeleton h-5" />
          ))}
        </div>
      )}
    </Dialog>
  )
}

function Sum({ explanation }: { explanation: BalanceExplanation }) {
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
