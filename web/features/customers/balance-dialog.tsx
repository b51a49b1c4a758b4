import { useQueryClient } from '@tanstack/react-query'
import { BalanceSum } from '#ledger/balance/balance-sum.tsx'
import { BalanceProof } from '#ledger/balance/proof.tsx'
import { readJournal } from '#ledger/read-journal.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { customerBalanceCopy } from './copy.ts'
import { customerQuery, readCustomerEntries, type Customer } from './customer.ts'

/** Why the customer's balance is what it is, verified in this browser as the customer's own does it. */
export function BalanceDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const client = useQueryClient()
  const { id, name, explanation } = customer
  return (
    <Dialog title={customerBalanceCopy.title} description={name} onClose={onClose}>
      <div className="grid gap-6">
        <BalanceSum explanation={explanation} copy={customerBalanceCopy} />
        <BalanceProof
          // Also opens the customer again: the first opening may be an hour old.
          explain={async () => (await client.fetchQuery({ ...customerQuery(id), staleTime: 0 })).explanation}
          readPages={(signal) => readJournal(signal, (after) => readCustomerEntries(id, after, signal))}
          copy={customerBalanceCopy}
        />
      </div>
    </Dialog>
  )
}
