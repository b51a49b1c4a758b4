/** Describes the status of a transfer. */
import { formatDateShort, noonInBogota } from '#ui/format/dates.ts'
import { transfersCopy } from './copy.ts'
import type { Transfer } from './transfers.ts'

const copy = transfersCopy.states

/** Returns, for example, `Hecha el 3 dic`. */
export function stateInWords({ status, due_on, ended_at, asked_at }: Transfer): string {
  if (status === 'waiting') return copy.waiting
  if (status === 'scheduled') return copy.scheduled(dayInWords(due_on ?? ''))
  return copy[status](formatDateShort(ended_at ?? asked_at))
}

/** Formats a day as `5 dic`, and adds the year if it is not the current year. */
export function dayInWords(day: string): string {
  return formatDateShort(noonInBogota(day))
}

/** Returns whether money reached the other account, so that the bank can issue a receipt. */
export function hasReceipt({ status }: Pick<Transfer, 'status'>): boolean {
  return status === 'done' || status === 'returned'
}
