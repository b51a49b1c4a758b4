import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refusalMessage } from '#backend/errors.ts'
import { displayedMoney } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { RetryLine } from '#ui/retry-line.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Spinner } from '#ui/spinner.tsx'
import { showFailure } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { batchesQuery, batchQuery, holdBatch, isPosting, readAllLines, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'
import { LineTable } from './line-table.tsx'
import { resultCsv } from './result-csv.ts'
import './batch.css'

type Props = {
  id: string
  /** Whether the batch was just ordered on this page. */
  isNew: boolean
  onAnother: () => void
}

/** One batch: its progress, its actions, and the result of each line. */
export function OpenBatch({ id, isNew, onAnother }: Props) {
  const batch = useQuery(batchQuery(id))
  if (batch.data)
    return <BatchCard batch={batch.data} isUnread={batch.isError} isNew={isNew} onAnother={onAnother} />
  return (
    <Card title={copy.heading}>
      <div className="file-parts">
        {batch.isError ? (
          <RetryLine message={copy.unread} onRetry={() => void batch.refetch()} />
        ) : batch.data === null ? (
          <p className="text-muted">{copy.missingBatch}</p>
        ) : (
          <Spinner />
        )}
      </div>
    </Card>
  )
}

type CardProps = Omit<Props, 'id'> & { batch: Batch; isUnread: boolean }

function BatchCard({ batch, isUnread, isNew, onAnother }: CardProps) {
  const { id, title, lines, posted, posted_amount, failed, finished_at } = batch
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The button that was pressed is gone, so the focus moves to the sentence.
    if (!isNew) return
    sentence.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [isNew])
  const done = posted + failed
  return (
    <Card title={title}>
      <div className="file-parts">
        <p ref={sentence} tabIndex={-1} role="status">
          <span className="font-semibold">{stateInWords(batch, isUnread)}</span>
        </p>
        <div>
          <progress
            className="batch-progress"
            max={lines}
            value={done}
            aria-label={copy.progress(done, lines)}
          />
          <p className="batch-figures">
            <span>{copy.progress(done, lines)}</span>
            <span>
              {copy.postedFor(posted)}
              <MoneyText className="figures font-semibold">{displayedMoney(posted_amount)}</MoneyText>
            </span>
          </p>
          {failed > 0 && <p className="text-sm font-medium text-danger">{copy.failed(failed)}</p>}
        </div>
        <div className="flex flex-wrap gap-3">
          {finished_at === null && <HoldButton batch={batch} />}
          <ResultButton id={id} />
          <Button variant="quiet" onClick={onAnother}>
            {copy.another}
          </Button>
        </div>
      </div>
      {/* The lines change while the database posts the batch: they are listed when it finishes or stops. */}
      {!isPosting(batch) && <LineTable id={id} failed={failed} />}
    </Card>
  )
}

function stateInWords(batch: Batch, isUnread: boolean): string {
  if (batch.finished_at !== null) return copy.finished
  if (batch.stopped_at !== null) return copy.stopped
  return isUnread ? copy.unanswered : copy.posting
}

/** Stops a batch that is being posted, or continues one that was stopped. */
function HoldButton({ batch }: { batch: Batch }) {
  const { id } = batch
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) =>
    showFailure({ title: copy.holdFailed, description: refusalMessage(error, copy.holdFailedText) }),
  )
  const hold = (act: 'stop' | 'continue') =>
    run(async () => {
      client.setQueryData(batchQuery(id).queryKey, await holdBatch(act, id))
      // Refetches the lines too, which were read while the batch was stopped.
      void client.invalidateQueries({ queryKey: batchesQuery.queryKey })
    })
  return isPosting(batch) ? (
    <Button variant="outline" isBusy={isBusy} onClick={() => hold('stop')}>
      {copy.stop}
    </Button>
  ) : (
    <Button isBusy={isBusy} onClick={() => hold('continue')}>
      {copy.go}
    </Button>
  )
}

function ResultButton({ id }: { id: string }) {
  const { isBusy, run } = useTask((error) =>
    showFailure({ title: copy.resultFailed, description: refusalMessage(error, copy.unread) }),
  )
  const download = async () => {
    const csv = resultCsv(await readAllLines(id))
    saveFile(copy.resultName(id), new Blob([csv], { type: 'text/csv;charset=utf-8' }))
  }
  return (
    <Button variant="outline" isBusy={isBusy} onClick={() => run(download)}>
      {copy.result}
    </Button>
  )
}
