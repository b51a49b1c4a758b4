import { useQueryClient } from '@tanstack/react-query'
import { readReason, ReasonField } from '#features/admin/reason-field.tsx'
import { displayedMinor, sumOf } from '#money/amounts.ts'
import { MoneyText } from '#money/money-text.tsx'
import { useProof } from '#session/proof/use-proof.tsx'
import { FormDialog } from '#ui/form/form-dialog.tsx'
import type { Reading } from '#ui/form/form.ts'
import { transferQueueCopy as copy } from './copy.ts'
import { decideRequests, type Outcome } from './decisions.ts'
import { failureInWords, outcomeInWords } from './outcome.ts'
import { Concept, nameOf } from './people.tsx'
import type { Transfer } from './requests.ts'
import { Signs } from './waiting-row.tsx'

type Props = {
  transfers: readonly Transfer[]
  approves: boolean
  /** The administrator's id. */
  userId: string
  onDecided: () => void
  onClose: () => void
}

/** Maximum number of transfers that the dialog lists. */
const listedMax = 5

/** Dialog that approves or declines transfers. A key alone moves no money, because the dialog asks first. */
export function DecideDialog({ transfers, approves, userId, onDecided, onClose }: Props) {
  const client = useQueryClient()
  const words = approves ? copy.approval : copy.decline
  const { proven, dialog: proof } = useProof(words.purpose)
  const ids = transfers.map(({ id }) => id)
  const sum = displayedMinor(sumOf(transfers))
  const decide = async (reason: string) => {
    const decided = await proven(() =>
      decideRequests(client, { ids, approves, ...(!approves && { reason }) }),
    )
    onDecided()
    return decided
  }
  return (
    <>
      <FormDialog<string, 'reason', Outcome[]>
        title={words.title(transfers.length)}
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
            <Listed transfers={transfers} />
            <p className="text-sm text-muted">{words.explained}</p>
            {!approves && <ReasonField error={errors.reason} common={copy.decline.reasons} />}
          </>
        )}
      </FormDialog>
      {proof}
    </>
  )
}

function readNothing(): Reading<string, 'reason'> {
  return { ok: true, value: '' }
}

function Listed({ transfers }: { transfers: readonly Transfer[] }) {
  const rest = transfers.slice(listedMax)
  return (
    <ul className="divide-y divide-line rounded-md border border-line text-sm">
      {transfers.slice(0, listedMax).map((transfer) => (
        <li key={transfer.id} className="queue-listed">
          <span className="min-w-0 wrap-anywhere">
            <span className="block font-medium">
              {copy.between(nameOf(transfer.payer), nameOf(transfer.payee))}
            </span>
            <Concept transfer={transfer} />
          </span>
          <MoneyText className="font-semibold">{displayedMinor(transfer.amountMinor)}</MoneyText>
          <Signs risk={transfer.risk} />
        </li>
      ))}
      {rest.length > 0 && (
        <li className="queue-listed text-muted">
          {copy.more(rest.length)}
          <MoneyText>{displayedMinor(sumOf(rest))}</MoneyText>
        </li>
      )}
    </ul>
  )
}
