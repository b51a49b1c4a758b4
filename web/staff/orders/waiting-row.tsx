import { useQueryClient } from '@tanstack/react-query'
import { formatAgo, formatDateTime } from '#ui/format/dates.ts'
import { Button } from '#ui/button.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { Cell, Row } from '#ui/table.tsx'
import { requestQueueCopy as copy } from './copy.ts'
import { expiryInWords } from './expiry.ts'
import { Amount } from './amount.tsx'
import { Consequences, Signs } from './grounds.tsx'
import { cancelRequest } from './decisions.ts'
import { failureInWords } from './outcome.ts'
import { People, useRequestName } from './people.tsx'
import type { Queued } from './requests.ts'

type Props = {
  request: Queued
  /** Time of the latest read. */
  now: Date
  /** Whether the administrator requested the act, and can therefore cancel it. */
  canCancel: boolean
  isChosen: boolean
  /** Whether a link led to this request. */
  isLinked: boolean
  onToggle: (isRange: boolean) => void
  onDecide: (approves: boolean) => void
}

/** A request that waits for a decision. */
export function WaitingRow({ request, now, canCancel, isChosen, isLinked, onToggle, onDecide }: Props) {
  const { id, amountMinor, asked_at: askedAt, expires_at: expiresAt, obstacle } = request
  const object = useRequestName(request)
  return (
    <Row
      data-row={id}
      className="queue-row"
      data-chosen={isChosen || undefined}
      aria-current={isLinked || undefined}
    >
      <Cell className="queue-choice">
        {obstacle === null && <Tick label={copy.choose(object)} {...{ isChosen, onToggle }} />}
      </Cell>
      <Cell className="queue-people">
        <People request={request} />
        <Consequences request={request} />
      </Cell>
      <Cell className="queue-risk">
        <Signs request={request} />
      </Cell>
      <Cell className="queue-amount font-semibold">
        <span className="@container block">
          <Amount>{amountMinor}</Amount>
        </span>
      </Cell>
      <Cell className="queue-time text-muted">
        <time dateTime={askedAt} title={formatDateTime(askedAt)}>
          {formatAgo(askedAt, now)}
        </time>
        <time dateTime={expiresAt} title={formatDateTime(expiresAt)}>
          {expiryInWords(expiresAt, now)}
        </time>
      </Cell>
      <Cell className="queue-actions">
        {request.first_approved_by_name !== null && (
          <span className="text-muted">{copy.firstApprovedBy(request.first_approved_by_name)}</span>
        )}
        {request.is_stuck && <span className="font-medium text-warning">{copy.stuck}</span>}
        {obstacle !== null ? (
          <>
            <span className="text-muted">{copy.obstacles[obstacle]}</span>
            {canCancel && <CancelButton id={id} object={object} />}
          </>
        ) : (
          <DecideButtons object={object} onDecide={onDecide} />
        )}
      </Cell>
    </Row>
  )
}

type TickProps = Pick<Props, 'isChosen' | 'onToggle'> & { label: string }

function Tick({ label, isChosen, onToggle }: TickProps) {
  return (
    <label className="queue-tick">
      <input
        type="checkbox"
        data-item=""
        aria-label={label}
        checked={isChosen}
        onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  )
}

function DecideButtons({ object, onDecide }: Pick<Props, 'onDecide'> & { object: string }) {
  return (
    <>
      <Button
        variant="outline"
        size="small"
        aria-label={copy.approval.actFor(object)}
        onClick={() => onDecide(true)}
      >
        {copy.approval.act}
      </Button>
      <Button
        variant="danger"
        size="small"
        aria-label={copy.decline.actFor(object)}
        onClick={() => onDecide(false)}
      >
        {copy.decline.act}
      </Button>
    </>
  )
}

function CancelButton({ id, object }: { id: string; object: string }) {
  const client = useQueryClient()
  const { isBusy, run } = useTask((error) =>
    showFailure(failureInWords(error, copy.cancellation.failedTitle)),
  )
  const cancel = async () => {
    await cancelRequest(client, id)
    showToast({ title: copy.cancellation.doneTitle })
  }
  return (
    <Button
      variant="outline"
      size="small"
      isBusy={isBusy}
      aria-label={copy.cancellation.actFor(object)}
      onClick={() => run(cancel)}
    >
      {copy.cancellation.act}
    </Button>
  )
}
