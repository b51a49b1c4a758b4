import { useQueryClient } from '@tanstack/react-query'
import { isOutcomeUnknown } from '#api/errors.ts'
import { refusalMessage } from '#api/refusals.ts'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'
import { transfersCopy as copy } from './copy.ts'
import { transferRefusals } from './refusals.ts'
import { stateInWords } from './states.ts'
import { cancelTransfer } from './transfer-calls.ts'
import { nameOf, TransferRow, useTransferName } from './transfer-row.tsx'
import type { Transfer } from './transfers.ts'

type Props = {
  userId: string
  transfers: readonly Transfer[]
  /** Shows the details of a transfer. */
  onOpen: (transfer: Transfer) => void
}

/**
 * The transfers that wait for an approval or for the day on which they are sent. The customer can still cancel them.
 */
export function OpenCard({ userId, transfers, onOpen }: Props) {
  return (
    <Card title={copy.openTitle}>
      {transfers.length === 0 ? (
        <p className="px-4 py-4 text-sm text-muted sm:px-6">{copy.noneOpen}</p>
      ) : (
        <ul aria-label={copy.openTitle} className="divide-y divide-line">
          {transfers.map((transfer) => (
            <TransferRow key={transfer.id} transfer={transfer} onOpen={() => onOpen(transfer)}>
              <CancelButton userId={userId} transfer={transfer} />
            </TransferRow>
          ))}
        </ul>
      )}
    </Card>
  )
}

function CancelButton({ userId, transfer }: { userId: string; transfer: Transfer }) {
  const client = useQueryClient()
  const name = nameOf(transfer)
  const named = useTransferName(transfer)
  const { isBusy, run } = useTask((error) => {
    const call = { name: 'transfer cancellation', title: copy.cancelFailedTitle, refusals: transferRefusals }
    const refusal = refusalMessage(error, call)
    showFailure(
      isOutcomeUnknown(error)
        ? { title: copy.cancelUnknownTitle, description: copy.cancelUnknownText }
        : refusal,
    )
  })
  const cancel = () =>
    run(async () => {
      const ended = await cancelTransfer(client, userId, transfer.id)
      if (ended.status === 'cancelled')
        showToast({ title: copy.cancelledTitle, description: copy.cancelledText(name) })
      // The transfer was sent or decided before the cancellation arrived.
      else showFailure({ title: copy.cancelFailedTitle, description: `${stateInWords(ended)}.` })
    })
  return (
    <Button variant="outline" size="touch" isBusy={isBusy} aria-label={copy.cancelOf(named)} onClick={cancel}>
      {copy.cancel}
    </Button>
  )
}
