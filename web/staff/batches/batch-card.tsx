import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { showRefusal } from '#api/refusals.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { lazyCode, lazyComponent } from '#ui/lazy/lazy.ts'
import { Link } from '#ui/address/link.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useLazyDialog } from '#ui/dialog/lazy-dialog.ts'
import { RetryLine } from '#ui/retry-line.tsx'
import { saveFile } from '#ui/save-file.ts'
import { Spinner } from '#ui/spinner.tsx'
import { useTask } from '#ui/use-task.ts'
import { batchesQuery, batchQuery, holdBatch, isPosting, readAllLines, type Batch } from './batches.ts'
import { batchCopy as copy } from './copy.ts'
import { faultsInWords, LineTable } from './line-table.tsx'
import { resultCsv } from './result-csv.ts'
import './batch.css'

type Props = {
  id: string
  /** Whether staff have just ordered the batch on this page. */
  isNew: boolean
  onAnother: () => void
  /** Opens a new batch with a copy of this batch's lines. */
  onRepeat: (batch: Batch) => Promise<void>
}

/** One batch: its progress, its actions, and the result of each line. */
export function OpenBatch({ id, ...props }: Props) {
  const batch = useQuery(batchQuery(id))
  if (batch.data) return <BatchCard batch={batch.data} isUnread={batch.isError} {...props} />
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

function BatchCard({ batch, isUnread, isNew, onAnother, onRepeat }: CardProps) {
  const { id, title, posted, failed, finished_at, is_held, opens_accounts, reversed_at } = batch
  const reversal = useLazyDialog(reverseDialog)
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    // The button that was pressed no longer exists, so the focus moves to the status message.
    if (!isNew) return
    sentence.current?.focus({ preventScroll: true })
    window.scrollTo(0, 0)
  }, [isNew])
  return (
    <Card title={title}>
      <div className="file-parts">
        <p ref={sentence} tabIndex={-1} role="status">
          <span className="font-semibold">{stateInWords(batch, isUnread)}</span>
        </p>
        <Progress batch={batch} />
        <div className="flex flex-wrap gap-3">
          {finished_at === null && !is_held && <HoldButton batch={batch} />}
          <LinesButton label={copy.result} failedTitle={copy.resultFailed} use={() => downloadResult(id)} />
          {!opens_accounts && (
            <LinesButton label={copy.repeat} failedTitle={copy.repeatFailed} use={() => onRepeat(batch)} />
          )}
          {opens_accounts && failed > 0 && finished_at !== null && (
            <Link to={`/admin/altas?lote=${id}`} className="batch-link">
              {copy.accounts.correct}
            </Link>
          )}
          {reversed_at === null && !is_held && (posted > 0 || finished_at === null) && (
            <Button variant="outline" onClick={() => reversal.open({ batch })}>
              {copy.reversal.title}
            </Button>
          )}
          <Button variant="quiet" onClick={onAnother}>
            {copy.another}
          </Button>
        </div>
        {opens_accounts && finished_at !== null && posted > 0 && <invitations.Component batch={batch} />}
      </div>
      {/* The lines are listed only after the batch has finished or stopped, because their results change during the
          posting. */}
      {!isPosting(batch) && <LineTable batch={batch} />}
      {reversal.dialog}
    </Card>
  )
}

function Progress({ batch }: { batch: Batch }) {
  const { failed, kept, reason } = batch
  const { done, all, progress, label, amount } = progressOf(batch)
  return (
    <div>
      <progress className="batch-progress" max={all} value={done} aria-label={progress} />
      <p className="flex flex-wrap justify-between gap-x-4 py-2">
        <span>{progress}</span>
        <span>
          {label}
          <MoneyText className="figures font-semibold">{displayedMoney(amount)}</MoneyText>
        </span>
      </p>
      {failed + kept > 0 && <p className="text-sm font-medium text-danger">{faultsInWords(batch)}</p>}
      {reason !== null && (
        <p className="text-sm text-muted wrap-anywhere">
          {copy.reversal.because(reason, batch.reversed_by_name)}
        </p>
      )}
    </div>
  )
}

const invitations = lazyComponent(() => import('./invitations.tsx'), 'Invitations')

/** Returns the progress of the posting, or of the reversal if one has been ordered. */
function progressOf(batch: Batch) {
  const { lines, posted, posted_amount, failed, reversed_at, reversed, reversed_amount, kept } = batch
  const words = batch.opens_accounts ? copy.accounts : copy
  const [done, all] = reversed_at === null ? [posted + failed, lines] : [reversed + kept, posted]
  return reversed_at === null
    ? {
        done,
        all,
        progress: words.progress(done, all),
        label: words.postedFor(posted),
        amount: posted_amount,
      }
    : {
        done,
        all,
        progress: copy.progress(done, all),
        label: copy.reversal.reversedFor(reversed),
        amount: reversed_amount,
      }
}

function stateInWords(batch: Batch, isUnread: boolean): string {
  const { finished_at, is_held, opens_accounts, stopped_at, reversed_at } = batch
  const posting = opens_accounts ? copy.accounts : copy
  if (is_held) return posting.held
  const words = reversed_at === null ? posting : copy.reversal
  if (finished_at !== null) return words.finished
  if (stopped_at !== null) return words.stopped
  return isUnread ? copy.unanswered : words.posting
}

const reverseDialog = lazyCode(() => import('./reverse-dialog.tsx'), 'ReverseDialog')

/** Button that stops a batch while it is being posted or reversed, or continues a stopped batch. */
function HoldButton({ batch }: { batch: Batch }) {
  const { id } = batch
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, {
      name: 'hold of a batch',
      title: copy.holdFailed,
      refusals: { otherwise: copy.holdFailedText },
    }),
  )
  const hold = (act: 'stop' | 'continue') =>
    run(async () => {
      client.setQueryData(batchQuery(id).queryKey, await holdBatch(act, id))
      // Also refetches the lines, because the lines change again after a stopped batch continues.
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

/** Button whose action first reads all lines of the batch. */
function LinesButton({
  label,
  failedTitle,
  use,
}: {
  label: string
  failedTitle: string
  use: () => Promise<void>
}) {
  const { isBusy, run } = useTask((error) =>
    showRefusal(error, {
      name: 'lines of a batch',
      title: failedTitle,
      refusals: { otherwise: copy.unread },
    }),
  )
  return (
    <Button variant="outline" isBusy={isBusy} onClick={() => run(use)}>
      {label}
    </Button>
  )
}

async function downloadResult(id: string): Promise<void> {
  const csv = resultCsv(await readAllLines(id))
  saveFile(copy.resultName(id), new Blob([csv], { type: 'text/csv;charset=utf-8' }))
}
