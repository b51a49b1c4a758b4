/** The amounts that decide whether a customer of the model may transfer, computed from the transfers of the couple. */
import { withoutTransferLimits } from '#server/settings/settings.ts'
import { settings } from '#tests/database/bank-settings.ts'
import { type Account, type Couple, type ModelTransfer, decimal } from './model-step.ts'

/** The bank's limits in hundredths: for one day's transfers without a decision, for one transfer, and for one day. */
export const rules = { automaticMax: 30_000, transferMax: 100_000, dayMax: 400_000 }
export const transferRules = settings({
  ...withoutTransferLimits,
  transfer_automatic_max: rules.automaticMax / 100,
  transfer_max: rules.transferMax / 100,
  transfer_day_max: rules.dayMax / 100,
  transfer_expires_hours: 72,
})

/**
 * Returns five amounts: the balance, the balance according to the bank, the reserved amount, the amount that the
 * customer can still transfer today, and the part of the last amount that needs no decision.
 */
export function accountOf(account: Account, { transfers }: Couple): string {
  const { balanceMinor } = account
  return [
    balanceMinor,
    bookedOf(account),
    reservedOf(account, transfers),
    Math.max(rules.dayMax - requestedToday(account, transfers), 0),
    Math.max(rules.automaticMax - automaticToday(account, transfers), 0),
  ]
    .map(decimal)
    .join(' ')
}

/** Returns the sum of the rows that the bank recorded, including the rows that the customer removed from the list. */
function bookedOf({ live, deleted }: Account): number {
  return [...live, ...deleted].reduce(
    (sum, { isBanks, signedMinor }) => (isBanks ? sum + signedMinor : sum),
    0,
  )
}

export const isOpen = ({ status }: ModelTransfer) => ['waiting', 'scheduled'].includes(status)
const sumOf = (transfers: readonly ModelTransfer[]) =>
  transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
const ofPayer = (account: Account, transfers: readonly ModelTransfer[]) =>
  transfers.filter(({ payer }) => payer === account)

export function hasMostOpen(account: Account, { transfers, openMax }: Couple): boolean {
  return ofPayer(account, transfers).filter(isOpen).length >= openMax
}

export function reservedOf(account: Account, transfers: readonly ModelTransfer[]): number {
  return sumOf(ofPayer(account, transfers).filter(isOpen))
}

export function requestedToday(account: Account, transfers: readonly ModelTransfer[]): number {
  return sumOf(
    ofPayer(account, transfers).filter((each) => each.isOfToday && (isOpen(each) || each.status === 'done')),
  )
}

export function automaticToday(account: Account, transfers: readonly ModelTransfer[]): number {
  return sumOf(
    ofPayer(account, transfers).filter(
      ({ isOfToday, isDecided, status }) => isOfToday && !isDecided && ['scheduled', 'done'].includes(status),
    ),
  )
}
