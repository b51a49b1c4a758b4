import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Database } from '@finanzas/contract/database-types.ts'
import type { TransactionWords } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { balanceCopy } from '#money/balance/copy.ts'
import { LazyDetails } from '#money/balance/lazy-details.tsx'
import { columnsCopy } from '#data/columns-copy.ts'
import { dataKeys } from '#data/queries.ts'

const editsAtFirst = 20
const editsMax = 1000

/** The customer's edits to the texts of transactions. Amounts never change. */
export function EditsList({ userId }: { userId: string }) {
  return (
    <LazyDetails title={balanceCopy.edits}>
      <Edits userId={userId} />
    </LazyDetails>
  )
}

function Edits({ userId }: { userId: string }) {
  const [shownMax, setShownMax] = useState(editsAtFirst)
  const edits = useQuery(editsQuery(userId, shownMax))
  if (edits.data === undefined) {
    return edits.isError ? (
      <RetryLine message={balanceCopy.loadFailed} onRetry={() => void edits.refetch()} />
    ) : (
      <div aria-hidden="true" className="skeleton h-5" />
    )
  }
  if (edits.data.length === 0) return <p className="text-sm text-muted">{balanceCopy.editsNone}</p>
  return (
    <>
      <ol className="grid gap-2.5 text-sm">
        {edits.data.map((edit) => (
          <li key={edit.seq} className="wrap-anywhere">
            <time dateTime={edit.recorded_at} className="text-muted">
              {formatDateTimeShort(edit.recorded_at)}
            </time>
            {': '}
            {editInWords(edit)}
          </li>
        ))}
      </ol>
      {edits.data.length >= shownMax && shownMax < editsMax && (
        <Button
          variant="quiet"
          size="small"
          className="mt-2 -ml-3"
          onClick={() => setShownMax(Math.min(shownMax * 4, editsMax))}
        >
          {balanceCopy.editsMore}
        </Button>
      )}
    </>
  )
}

/** The texts of a transaction before and after one edit. */
type Words = { before: TransactionWords; after: TransactionWords }
type Edit = Omit<Database['public']['Tables']['transaction_edits']['Row'], keyof Words> & Words

/** Reads the customer's latest edits, up to `shownMax` of them. */
function editsQuery(userId: string, shownMax: number) {
  return queryOptions({
    queryKey: [...dataKeys.edits(userId), shownMax],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Edit[]> => {
      const client = await backend()
      return unwrap(
        await client
          .from('transaction_edits')
          .select('*')
          .eq('user_id', userId)
          .order('seq', { ascending: false })
          .limit(shownMax)
          .abortSignal(signal)
          .overrideTypes<Words[]>(),
      )
    },
  })
}

/**
 * Describes an edit, for example `Descripción «Cafe» → «Café con Ana»; categoría Otro → Comida`. If the description did
 * not change, the text begins with it, to identify the transaction.
 */
function editInWords({ before, after }: Edit): string {
  const isRenamed = before.description !== after.description
  const begin = isRenamed
    ? balanceCopy.editedDescription(before.description, after.description)
    : `«${after.description}»`
  const others = (Object.keys(after) as (keyof TransactionWords)[])
    .filter((column) => column !== 'description' && before[column] !== after[column])
    .map((column) => balanceCopy.editedText(columnsCopy.names[column], before[column], after[column]))
  return others.length === 0 ? begin : `${begin}${isRenamed ? ';' : ':'} ${others.join('; ')}`
}
