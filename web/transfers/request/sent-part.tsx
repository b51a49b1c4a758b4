import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { ReceiptButton } from '#money/details/receipt-button.tsx'
import { transfersCopy } from '#transfers/copy.ts'
import type { Transfer } from '#transfers/transfers.ts'
import { Button } from '#ui/button.tsx'

const copy = transfersCopy.dialog

type Props = {
  transfer: Transfer
  name: string
  onAnother: () => void
  onClose: () => void
}

/** Says that the money was sent, and offers to share the receipt. */
export function SentPart({ transfer: { id, amount }, name, onAnother, onClose }: Props) {
  return (
    <div className="grid gap-4">
      <p role="status" data-first="" tabIndex={-1} className="@container text-lg font-medium">
        <MoneyText isTyped within={(money) => copy.sentText(money, name)}>
          {displayedMoney(amount)}
        </MoneyText>
      </p>
      {/* The posting of a transfer has the id of the transfer. */}
      <ReceiptButton isShared transaction={{ id }} />
      <Button variant="outline" onClick={onAnother}>
        {copy.another}
      </Button>
      <Button onClick={onClose}>{copy.ready}</Button>
    </div>
  )
}
