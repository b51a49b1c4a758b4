import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import type { Transaction } from '@finanzas/contract/rows.ts'
import { backend } from '#backend/client.ts'
import { unwrap } from '#backend/unwrap.ts'
import { formatDateShort } from '#format/dates.ts'
import { ledgerKeys } from '#ledger/queries.ts'
import { transactionCopy } from './copy.ts'

export type Correction = Omit<Database['public']['Tables']['corrections']['Row'], 'user_id' | 'mistake_id'>
type Corrected = Pick<Transaction, 'description' | 'date'>

type Props = {
  id: string
  corrections: readonly Correction[]
  /** Returns the corrected transaction, or `null` if it is no longer in the list. */
  correctedOf: (id: string) => Corrected | null
}

const copy = transactionCopy.corrections

/** The correction of a transaction, or the transaction that it corrects, or both. */
export function Corrections({ id, corrections, correctedOf }: Props) {
  const by = corrections.find(({ corrected_id }) => corrected_id === id)
  const of = corrections.find((each) => each.id === id)
  const corrected = of === undefined ? null : correctedOf(of.corrected_id)
  return (
    <>
      {of !== undefined && (
        <p className={look}>
          {corrected === null
            ? copy.correctsGone(of.reason)
            : copy.corrects(corrected.description, formatDateShort(corrected.date), of.reason)}
        </p>
      )}
      {by !== undefined && (
        <p className={look}>
          {copy.corrected(by.corrected_by ?? copy.theBank, formatDateShort(by.corrected_at), by.reason)}
        </p>
      )}
    </>
  )
}

const look = 'mt-4 rounded-md bg-warning-soft px-3.5 py-3 text-sm wrap-anywhere'

/** The corrections of the customer's own transaction. They are fetched when shown, because few exist. */
export function OwnCorrections({ transaction }: { transaction: Transaction }) {
  const { data } = useQuery(correctionsQuery(transaction))
  if (data === undefined) return null
  return <Corrections id={transaction.id} corrections={data.corrections} correctedOf={() => data.corrected} />
}

function correctionsQuery({ id, user_id, recorded_by }: Transaction) {
  return queryOptions({
    queryKey: [...ledgerKeys.corrections(user_id), id],
    // Staff correct only transactions that the bank recorded.
    enabled: recorded_by === 'bank',
    queryFn: async ({ signal }): Promise<{ corrections: Correction[]; corrected: Corrected | null }> => {
      const client = await backend()
      const corrections = unwrap(
        await client
          .from('corrections')
          .select('id, corrected_id, reason, corrected_by, corrected_at')
          .eq('user_id', user_id)
          .or(`id.eq.${id},corrected_id.eq.${id}`)
          .abortSignal(signal),
      )
      const of = corrections.find((each) => each.id === id)
      if (of === undefined) return { corrections, corrected: null }
      const corrected = unwrap(
        await client
          .from('transactions')
          .select('description, date')
          .eq('user_id', user_id)
          .eq('id', of.corrected_id)
          .abortSignal(signal)
          .maybeSingle(),
      )
      return { corrections, corrected }
    },
  })
}
