import { formatDateTime, formatDateInWords, noonInBogota } from '#ui/format/dates.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { MoneyText } from '#amounts/money-text.tsx'
import { ReceiptButton } from '#money/details/receipt-button.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { transfersCopy } from './copy.ts'
import { hasReceipt, stateInWords } from './states.ts'
import { nameOf } from './transfer-row.tsx'
import type { Transfer } from './transfers.ts'

const copy = transfersCopy.details

/** Shows all data of a transfer, and the receipt if the bank carried the transfer out. */
export function TransferDetails({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { id, payer, status, amount, description, reason, asked_at, due_on, expires_at, payee_masked } =
    transfer
  const lines = [
    [copy.state, stateInWords(transfer)],
    [copy.askedAt, formatDateTime(asked_at)],
    [copy.dueOn, due_on && formatDateInWords(noonInBogota(due_on))],
    [copy.expiresAt, status === 'waiting' && formatDateTime(expires_at)],
    [copy.account, payee_masked],
    [copy.concept, description],
    [copy.reason, reason],
  ] as const
  return (
    <Dialog title={nameOf(transfer)} onClose={onClose}>
      <p className="@container text-3xl font-semibold">
        <MoneyText>{displayedMoney(amount)}</MoneyText>
      </p>
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {lines.map(
          ([name, value]) =>
            typeof value === 'string' && (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="wrap-anywhere">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {payer !== null && hasReceipt(transfer) && (
        <div className="mt-6 grid">
          <ReceiptButton transaction={{ id }} />
        </div>
      )}
    </Dialog>
  )
}
