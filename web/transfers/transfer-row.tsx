import type { ReactNode } from 'react'
import { formatDateTimeShort } from '#ui/format/dates.ts'
import { displayedMoney } from '#amounts/amounts.ts'
import { moneyCopy } from '#amounts/copy.ts'
import { MoneyText, useAmountsHidden } from '#amounts/money-text.tsx'
import { transfersCopy as copy } from './copy.ts'
import { stateInWords } from './states.ts'
import type { Transfer } from './transfers.ts'

type Props = { transfer: Transfer; onOpen: () => void; children?: ReactNode }

/** A row with the beneficiary, the amount and the status of a transfer. A click anywhere in it opens the details. */
export function TransferRow({ transfer, onOpen, children }: Props) {
  const { id, amount, description, reason } = transfer
  const named = useTransferName(transfer)
  return (
    <li data-row={id} className="transfers-row relative hover:bg-sunken">
      <div className="transfers-words">
        <div className="@container flex flex-wrap items-baseline gap-x-3">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-label={named}
            translate="no"
            onClick={onOpen}
            className="min-w-0 flex-[1_1_6rem] text-left font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
          >
            {nameOf(transfer)}
          </button>
          <MoneyText className="ml-auto font-semibold">{displayedMoney(amount)}</MoneyText>
        </div>
        <p className="text-sm text-muted wrap-anywhere">
          {isElsewhere(transfer) && `${transfer.payee_masked} · `}
          {stateInWords(transfer)}
          {description !== null && ` · ${description}`}
        </p>
        {reason !== null && <p className="text-sm wrap-anywhere">{copy.reason(reason)}</p>}
      </div>
      {/* These buttons are above the button that covers the row, so that the customer can click them. */}
      {children !== undefined && <div className="relative">{children}</div>}
    </li>
  )
}

/**
 * Returns a transfer's name for a screen reader. The buttons of two transfers to the same person have different names.
 */
export function useTransferName(transfer: Transfer): string {
  const [isHidden] = useAmountsHidden()
  const money = isHidden ? moneyCopy.hiddenAmount : displayedMoney(transfer.amount)
  return copy.named(nameOf(transfer), money, formatDateTimeShort(transfer.asked_at))
}

/**
 * Returns whether the money goes to another bank. The masked name of an account at another bank ends with the last
 * digits of the account number.
 */
function isElsewhere({ payee_masked }: Transfer): boolean {
  return /\d{4}$/.test(payee_masked ?? '')
}

/** Returns the name that the customer gave the beneficiary. */
export function nameOf({ payee_name }: Pick<Transfer, 'payee_name'>): string {
  return payee_name ?? copy.forgotten
}
