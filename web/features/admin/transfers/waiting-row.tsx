import { displayedMinor } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { formatAgo, formatDateTime } from '#format/dates.ts'
import { Button } from '#ui/button.tsx'
import { transferQueueCopy as copy } from './copy.ts'
import { expiryInWords } from './expiry.ts'
import { People, useTransferName } from './people.tsx'
import { signsOf, type Transfer } from './requests.ts'

type Props = {
  transfer: Transfer
  /** Time of the latest read. */
  now: Date
  /** Whether the transfer concerns the administrator, who therefore cannot decide it. */
  isOwn: boolean
  isChosen: boolean
  onToggle: (isRange: boolean) => void
  onDecide: (approves: boolean) => void
}

/** A transfer that waits for a decision. */
export function WaitingRow({ transfer, now, isOwn, isChosen, onToggle, onDecide }: Props) {
  const { id, amountMinor, asked_at: askedAt, expires_at: expiresAt, risk } = transfer
  const named = useTransferName(transfer)
  return (
    <tr role="row" data-row={id} className="queue-row" data-chosen={isChosen || undefined}>
      <td role="cell" className="queue-choice">
        {!isOwn && (
          <label className="queue-tick">
            <input
              type="checkbox"
              data-item=""
              aria-label={copy.choose(named)}
              checked={isChosen}
              onChange={({ nativeEvent }) =>
                onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
              }
            />
          </label>
        )}
      </td>
      <td role="cell" className="queue-people">
        <People transfer={transfer} />
      </td>
      <td role="cell" className="queue-risk">
        <Signs risk={risk} />
      </td>
      <td role="cell" className="queue-amount font-semibold">
        <span className="@container block">
          <MoneyText>{displayedMinor(amountMinor)}</MoneyText>
        </span>
      </td>
      <td role="cell" className="queue-time text-muted">
        <time dateTime={askedAt} title={formatDateTime(askedAt)}>
          {formatAgo(askedAt, now)}
        </time>
        <time dateTime={expiresAt} title={formatDateTime(expiresAt)}>
          {expiryInWords(expiresAt, now)}
        </time>
      </td>
      <td role="cell" className="queue-actions">
        {isOwn ? (
          <span className="text-muted">{copy.ownWhy}</span>
        ) : (
          <>
            <Button
              variant="outline"
              size="small"
              aria-label={copy.approval.actFor(named)}
              onClick={() => onDecide(true)}
            >
              {copy.approval.act}
            </Button>
            <Button
              variant="danger"
              size="small"
              aria-label={copy.decline.actFor(named)}
              onClick={() => onDecide(false)}
            >
              {copy.decline.act}
            </Button>
          </>
        )}
      </td>
    </tr>
  )
}

/** The signs of risk in words. */
export function Signs({ risk }: { risk: number }) {
  const signs = signsOf(risk)
  if (signs.length === 0) return <span className="text-muted">{copy.noSigns}</span>
  return (
    <ul className="queue-signs">
      {signs.map((sign) => (
        <li key={sign} className="border-brass bg-warning-soft text-xs font-medium text-warning">
          {copy.signs[sign]}
        </li>
      ))}
    </ul>
  )
}
