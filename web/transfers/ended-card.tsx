import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { transfersCopy as copy } from './copy.ts'
import { TransferRow } from './transfer-row.tsx'
import type { Transfer } from './transfers.ts'

type Props = {
  transfers: readonly Transfer[]
  /** Shows the details of a transfer. */
  onOpen: (transfer: Transfer) => void
  /** Whether earlier transfers are being read. */
  isReading: boolean
  /** Shows earlier transfers. `null` if the list is complete. */
  onEarlier: (() => void) | null
}

/** The transfers that have ended, newest first. The details of a completed transfer contain its receipt. */
export function EndedCard({ transfers, onOpen, isReading, onEarlier }: Props) {
  return (
    <Card title={copy.endedTitle}>
      {transfers.length === 0 ? (
        <p className="px-4 py-4 text-sm text-muted sm:px-6">{copy.noneEnded}</p>
      ) : (
        <ul aria-label={copy.endedTitle} className="divide-y divide-line">
          {transfers.map((transfer) => (
            <TransferRow key={transfer.id} transfer={transfer} onOpen={() => onOpen(transfer)} />
          ))}
        </ul>
      )}
      {(onEarlier !== null || isReading) && (
        <Button variant="quiet" className="my-1 self-center" isBusy={isReading} onClick={() => onEarlier?.()}>
          {copy.earlier}
        </Button>
      )}
    </Card>
  )
}
