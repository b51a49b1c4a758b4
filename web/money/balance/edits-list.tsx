import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import type { Database } from '@finanzas/contract/database-types.ts'
import type { TransactionWords } from '@finanzas/contract/wire/rows.ts'
import { backend } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { balanceCopy } from './copy.ts'
import { LazyDetails } from './lazy-details.tsx'
import { columnsCopy } from '#data/columns-copy.ts'
import { dataKeys } from '#data/queries.ts'
import { useRowsMax } from '#ui/use-rows-max.ts'

const editsShown = { first: 20, max: 1000, next: (rowsMax: number) => rowsMax * 4 }

/** The customer's edits to the texts of transactions. Amounts never change. */
export function EditsList({ userId }: { userId: string }) {
  return (
    <LazyDetails title={balanceCopy.edits}>
      <Edits userId={userId} />
    </LazyDetails>
  )
}

function Edits({ userId }: { userId: string }) {
  const { rowsMax, moreOf } = useRowsMax(editsShown)
  const edits = useQuery(editsQuery(userId, rowsMax))
  if (edits.data === undefined) {
    return edits.isError ? (
      <RetryLine message={balanceCopy.loadFailed} onRetry={() => void edits.refetch()} />
    ) : (
      <div aria-hidden="true" className="skeleton h-5" />
    )
  }
  const showMore = moreOf(edits.data.length)
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
      {showMore !== null && (
        <Button variant="quiet" size="small" className="mt-2 -ml-3" onClick={showMore}>
          {balanceCopy.editsMore}
        </Button>
      )}
    </>
  )
}

/** The texts of a transaction before and after one edit. */
type Words = { before: TransactionWords; after: TransactionWords }
type Edit = Omit<Database['public']['Tables']['transaction_edits']['Row'], keyof Words> & Words

/** Reads the customer's latest edits, up to `rowsMax` of them. */
function editsQuery(userId: string, rowsMax: number) {
  return queryOptions({
    queryKey: [...dataKeys.edits(userId), rowsMax],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Edit[]> => {
      const client = await backend()
      return unwrap(
        await client
          .from('transaction_edits')
          .select('*')
          .eq('user_id', userId)
          .order('seq', { ascending: false })
          .limit(rowsMax)
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
