import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { formatDateShort } from '#ui/format/dates.ts'
import { dataKeys } from '#data/queries.ts'
import { transactionCopy } from './copy.ts'

export type Correction = Omit<
  Database['public']['Tables']['corrections']['Row'],
  'user_id' | 'mistake_id' | 'makes_void' | 'dated_at'
>
type Corrected = Pick<Transaction, 'description' | 'date'>

type Props = {
  id: string
  corrections: readonly Correction[]
  /** Returns the transaction that was corrected, or `null` if it is no longer in the list. */
  correctedOf: (id: string) => Corrected | null
}

const copy = transactionCopy.corrections

/**
 * Shows the correction of a transaction. For a reversal or a replacement, also shows the transaction that was
 * corrected.
 */
export function Corrections({ id, corrections, correctedOf }: Props) {
  const by = corrections.find(({ corrected_id }) => corrected_id === id)
  const of = correctionBy(id, corrections)
  return (
    <>
      {of !== undefined && <p className={look}>{originInWords(of, of.id === id, correctedOf)}</p>}
      {by !== undefined && <p className={look}>{correctionInWords(by)}</p>}
    </>
  )
}

/** Finds the correction in which the transaction is the reversal or the replacement. */
function correctionBy(id: string, corrections: readonly Correction[]): Correction | undefined {
  return corrections.find((each) => each.id === id || each.replacement_id === id)
}

function originInWords(
  { corrected_id, reason }: Correction,
  isReversal: boolean,
  correctedOf: Props['correctedOf'],
): string {
  const corrected = correctedOf(corrected_id)
  const [words, gone] = isReversal ? [copy.corrects, copy.correctsGone] : [copy.replaces, copy.replacesGone]
  return corrected === null
    ? gone(reason)
    : words(corrected.description, formatDateShort(corrected.date), reason)
}

function correctionInWords({ corrected_by, corrected_at, reason, replacement_id }: Correction): string {
  const sentence = copy.corrected(corrected_by ?? copy.theBank, formatDateShort(corrected_at), reason)
  return replacement_id === null ? sentence : copy.replaced(sentence)
}

const look = 'mt-4 rounded-md bg-warning-soft px-3.5 py-3 text-sm wrap-anywhere'

/**
 * Corrections of a transaction, for its owner. The page fetches corrections only when it shows the transaction, because
 * few transactions have a correction.
 */
export function OwnCorrections({ transaction }: { transaction: Transaction }) {
  const { data } = useQuery(correctionsQuery(transaction))
  if (data === undefined) return null
  return <Corrections id={transaction.id} corrections={data.corrections} correctedOf={() => data.corrected} />
}

function correctionsQuery({ id, user_id, recorded_by }: Transaction) {
  return queryOptions({
    queryKey: [...dataKeys.corrections(user_id), id],
    // Staff can correct only transactions that the bank recorded.
    enabled: recorded_by === 'bank',
    queryFn: async ({ signal }): Promise<{ corrections: Correction[]; corrected: Corrected | null }> => {
      const client = await backend()
      const corrections = unwrap(
        await client
          .from('corrections')
          .select('id, corrected_id, replacement_id, reason, corrected_by, corrected_at')
          .eq('user_id', user_id)
          .or(`id.eq.${id},corrected_id.eq.${id},replacement_id.eq.${id}`)
          .abortSignal(signal),
      )
      const of = correctionBy(id, corrections)
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
