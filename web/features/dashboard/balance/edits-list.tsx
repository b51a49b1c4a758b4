import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTimeShort } from '#format/dates.ts'
import { Button } from '#ui/button.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { balanceCopy } from '#balance/copy.ts'
import { LazyDetails } from '#balance/lazy-details.tsx'
import { editInWords, editsQuery } from '#balance/edits.ts'

const editsAtFirst = 20
const editsMax = 1000

/** The customer's edits to the descriptions and categories of transactions. Amounts never change. */
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
