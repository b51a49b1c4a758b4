import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BalanceSum } from '#ledger/balance/balance-sum.tsx'
import { balanceCopy } from '#ledger/balance/copy.ts'
import { EditsList } from '#ledger/balance/edits-list.tsx'
import { explanationQuery } from '#ledger/balance/explanation.ts'
import { BalanceProof } from '#ledger/balance/proof.tsx'
import { readJournal } from '#ledger/read-journal.ts'
import { useUser } from '#session/session.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { RetryLine } from '#ui/retry-line.tsx'

/** Why the balance is what it is: the sums that make it, and the means to verify them. */
export function BalanceDialog({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const client = useQueryClient()
  const explanation = useQuery(explanationQuery(user.id))
  return (
    <Dialog title={balanceCopy.title} description={balanceCopy.explained} onClose={onClose}>
      {explanation.data !== undefined ? (
        <div className="grid gap-6">
          <BalanceSum explanation={explanation.data} />
          <EditsList userId={user.id} />
          <BalanceProof
            explain={() => client.fetchQuery({ ...explanationQuery(user.id), staleTime: 0 })}
            readPages={readJournal}
          />
        </div>
      ) : explanation.isError ? (
        <RetryLine message={balanceCopy.loadFailed} onRetry={() => void explanation.refetch()} />
      ) : (
        <div aria-hidden="true" className="grid min-h-108 content-start gap-4 sm:min-h-92">
          {Object.keys(balanceCopy.parts).map((part) => (
            <div key={part} className="skeleton h-5" />
          ))}
        </div>
      )}
    </Dialog>
  )
}
