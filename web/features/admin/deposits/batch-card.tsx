import { useQuery } from '@tanstack/react-query'
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
import { batchQuery, readAllLines, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'
import { LineTable } from './line-table.tsx'
import { resultCsv } from './result-csv.ts'
import { usePosting, type Posting } from './use-posting.ts'
import './batch.css'

type Props = {
  id: string
  /** Whether it has just been ordered on this page. */
  beginsAtOnce: boolean
  onAnother: () => void
}

/** One batch: its progress, its actions, and the result of each line. */
export function OpenBatch({ id, beginsAtOnce, onAnother }: Props) {
  const batch = useQuery(batchQuery(id))
  if (batch.data) return <BatchCard batch={batch.data} beginsAtOnce={beginsAtOnce} onAnother={onAnother} />
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

function BatchCard({ batch, beginsAtOnce, onAnother }: Omit<Props, 'id'> & { batch: Batch }) {
  const { id, title, lines, posted, posted_amount, failed, finished_at } = batch
  const { state, start, stop } = usePosting(batch, beginsAtOnce)
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The pressed button is gone.
    if (!beginsAtOnce) return
    sentence.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [beginsAtOnce])
  const done = posted + failed
  return (
    <Card title={title}>
      <div className="file-parts">
        <p ref={sentence} tabIndex={-1} role="status">
          <span className="font-semibold">{finished_at !== null ? copy.finished : wordsOf[state]}</span>
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
          {finished_at === null &&
            (state === 'stopped' ? (
              <Button onClick={start}>{copy.go}</Button>
            ) : (
              <Button variant="outline" onClick={stop}>
                {copy.stop}
              </Button>
            ))}
          <ResultButton id={id} />
          <Button variant="quiet" onClick={onAnother}>
            {copy.another}
          </Button>
        </div>
      </div>
      {/* While pieces are posted the lines change under their reader: they come when it is still. */}
      {(finished_at !== null || state === 'stopped') && <LineTable id={id} failed={failed} />}
    </Card>
  )
}

const wordsOf: Readonly<Record<Posting, string>> = {
  posting: copy.posting,
  waiting: copy.waiting,
  stopped: copy.stopped,
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
