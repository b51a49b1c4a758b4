import { ExplainedBalance } from '#money/balance/explained-balance.tsx'
import { readJournal } from '#data/read-journal.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { customerBalanceCopy } from './copy.ts'
import { customerExplanationQuery, readCustomerEntries, type Customer } from './customer.ts'

/**
 * The explanation of the customer's balance. Staff can verify the explanation in the browser, just as the customer can.
 */
export function BalanceDialog({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const { id, name } = customer
  return (
    <Dialog title={customerBalanceCopy.title} description={name} onClose={onClose}>
      <ExplainedBalance
        query={customerExplanationQuery(id)}
        readPages={(signal) => readJournal(signal, (after) => readCustomerEntries(id, after, signal))}
        copy={customerBalanceCopy}
      />
    </Dialog>
  )
}
