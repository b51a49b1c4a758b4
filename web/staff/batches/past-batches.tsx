import { useQuery } from '@tanstack/react-query'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { Link } from '#ui/address/link.tsx'
import { PastRow, PastUploads } from '#uploads/past-uploads.tsx'
import { batchesQuery, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'
import './batch.css'

/** The latest batches except the one on screen, each with its result or progress. */
export function PastBatches({ shown }: { shown: string | null }) {
  const { data: batches = [] } = useQuery(batchesQuery)
  return (
    <PastUploads title={copy.pastTitle} rows={batches.filter(({ id }) => id !== shown)}>
      {(batch) => <PastBatch key={batch.id} batch={batch} />}
    </PastUploads>
  )
}

function PastBatch({ batch }: { batch: Batch }) {
  const { id, title, created_at, sent_by_name: name, amount } = batch
  const when = formatDateTimeShort(created_at)
  return (
    <PastRow
      name={
        <Link to={`/admin/abonos?lote=${id}`} className="batch-link">
          {title}
        </Link>
      }
      details={name === null ? when : `${when}, ${copy.by(name)}`}
    >
      <span className="ml-auto text-right">
        <MoneyText className="figures">{displayedMoney(amount)}</MoneyText>
        <span className="block text-sm text-muted">{stateInWords(batch)}</span>
      </span>
    </PastRow>
  )
}

function stateInWords(batch: Batch): string {
  const { finished_at, is_held, posted, failed, lines, reversed_at, reversed, kept } = batch
  if (is_held) return copy.states.held
  if (reversed_at !== null)
    return finished_at === null ? copy.states.reversing(reversed + kept, posted) : copy.states.reversed
  if (finished_at === null) return copy.states.unfinished(posted + failed, lines)
  return failed === 0 ? copy.states.finished : copy.states.withFailures(failed)
}
