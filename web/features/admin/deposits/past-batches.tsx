import { useQuery } from '@tanstack/react-query'
import { formatDateTimeShort } from '#format/dates.ts'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { Link } from '#ui/address/link.tsx'
import { Card } from '#ui/card.tsx'
import { batchesQuery, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'

/** The latest batches, each with how it ended, or how far it is. Renders nothing for an empty list. */
export function PastBatches({ shown }: { shown: string | null }) {
  const { data: batches = [] } = useQuery(batchesQuery)
  const others = batches.filter(({ id }) => id !== shown)
  if (others.length === 0) return null
  return (
    <Card title={copy.pastTitle}>
      <ul>
        {others.map((batch) => (
          <PastRow key={batch.id} batch={batch} />
        ))}
      </ul>
    </Card>
  )
}

function PastRow({ batch }: { batch: Batch }) {
  const { id, title, created_at, sent_by_name: name, amount } = batch
  const when = formatDateTimeShort(created_at)
  return (
    <li className="file-past">
      <span className="batch-title">
        <Link to={`/admin/abonos?lote=${id}`} className="batch-link">
          {title}
        </Link>
        <span className="block text-sm text-muted wrap-anywhere">
          {name === null ? when : `${when}, ${copy.by(name)}`}
        </span>
      </span>
      <span className="batch-sum">
        <MoneyText className="figures">{displayedMoney(amount)}</MoneyText>
        <span className="block text-sm text-muted">{stateInWords(batch)}</span>
      </span>
    </li>
  )
}

function stateInWords({ finished_at, posted, failed, lines }: Batch): string {
  if (finished_at === null) return copy.states.unfinished(posted + failed, lines)
  return failed === 0 ? copy.states.finished : copy.states.withFailures(failed)
}
