import { showToast } from './toast-store.ts'
import { uiCopy } from '#ui/copy.ts'

/** The toast of every placeholder of the specification: nothing is stored. */
export const notImplemented = {
  title: uiCopy.notImplementedTitle,
  description: uiCopy.notImplementedText,
} as const

/** The text says where the same can be done today. */
export function announceNotImplemented(description: string = notImplemented.description): void {
  showToast({ ...notImplemented, description })
}
