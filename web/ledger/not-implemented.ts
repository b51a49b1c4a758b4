import { showToast } from '#ui/toast/toast-store.ts'
import { ledgerCopy } from './copy.ts'

/** The toast of every placeholder of the specification: nothing is stored. */
export const notImplemented = {
  title: ledgerCopy.notImplementedTitle,
  description: ledgerCopy.notImplementedText,
} as const

export function announceNotImplemented(): void {
  showToast(notImplemented)
}
