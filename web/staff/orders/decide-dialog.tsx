import { useQueryClient } from '@tanstack/react-query'
import { StaffDialog } from '#staff/forms/staff-dialog.tsx'
import { readReason, ReasonField } from '#staff/forms/reason-field.tsx'
import { displayedMinor } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import type { Reading } from '#ui/form/form.ts'
import { requestQueueCopy as copy } from './copy.ts'
import { decideRequests, type Outcome } from './decisions.ts'
import { failureInWords, outcomeInWords } from './outcome.ts'
import { Amount } from './amount.tsx'
import { Consequences, Signs } from './grounds.tsx'
import { Concept, areTransfers, subjectOf } from './people.tsx'
import { sumOfRequests, type Queued } from './requests.ts'

type Props = {
  requests: readonly Queued[]
  approves: boolean
  /** The administrator's id. */
  userId: string
  onDecided: () => void
  onClose: () => void
}

/** Maximum number of requests that the dialog lists. */
const listedMax = 5

/**
 * Dialog that approves or declines requests. Pressing a key never moves money by itself, because the dialog first asks
 * for a confirmation.
 */
export function DecideDialog({ requests, approves, userId, onDecided, onClose }: Props) {
  const client = useQueryClient()
  const words = approves ? copy.approval : copy.decline
  const ids = requests.map(({ id }) => id)
  const sum = displayedMinor(sumOfRequests(requests))
  const ofTransfers = areTransfers(requests)
  const decide = async (reason: string) => {
    const decided = await decideRequests(client, { ids, approves, ...(!approves && { reason }) })
    onDecided()
    return decided
  }
  return (
    <StaffDialog<string, 'reason', Outcome[]>
      purpose={words.purpose}
      title={words.title(requests.length, ofTransfers)}
      failedTitle={words.failedTitle}
      submitLabel={
        <MoneyText isTyped within={(money) => `${words.act} · ${money}`}>
          {sum}
        </MoneyText>
      }
      submitVariant={approves ? 'primary' : 'destructive'}
      isSubmitFirst={approves}
      onClose={onClose}
      read={approves ? readNothing : readReason}
      send={decide}
      success={(_, decided) => outcomeInWords(decided, { approves, userId })}
      failure={(error) => failureInWords(error, words.failedTitle)}
    >
      {(errors) => (
        <>
          <Listed requests={requests} isDeclined={!approves} />
          <p className="text-sm text-muted">{words.explained(ofTransfers)}</p>
          {!approves && <ReasonField error={errors.reason} common={copy.decline.reasons} />}
        </>
      )}
    </StaffDialog>
  )
}

function readNothing(): Reading<string, 'reason'> {
  return { ok: true, value: '' }
}

function Listed({ requests, isDeclined }: { requests: readonly Queued[]; isDeclined: boolean }) {
  const rest = requests.slice(listedMax)
  return (
    <ul className="divide-y divide-line rounded-md border border-line text-sm">
      {requests.slice(0, listedMax).map((request) => (
        <li key={request.id} className="queue-listed">
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-medium">{subjectOf(request)}</span>
            <Concept request={request} />
            <Consequences request={request} isDeclined={isDeclined} />
          </span>
          <Amount className="font-semibold">{request.amountMinor}</Amount>
          <Signs request={request} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className="queue-listed text-muted">
          {copy.more(rest.length, areTransfers(rest))}
          <MoneyText>{displayedMinor(sumOfRequests(rest))}</MoneyText>
        </li>
      )}
    </ul>
  )
}
