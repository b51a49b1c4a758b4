import { showToast } from '#ui/toast/toast-store.ts'
import { ledgerCopy } from './copy.ts'

/** The answer of every placeholder of the specification: one toast, nothing stored. */
export function announceNotImplemented(): void {
  showToast({ title: ledgerCopy.notImplementedTitle, description: ledgerCopy.notImplementedText })
}
