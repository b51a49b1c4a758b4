import { showToast } from './toast-store.ts'
import { uiCopy } from '#ui/copy.ts'

/** Toast of the specification's placeholders, which store nothing. */
export const notImplemented = {
  title: uiCopy.notImplementedTitle,
  description: uiCopy.notImplementedText,
} as const

/** The text says where the same can be done today. */
export function announceNotImplemented(description: string = notImplemented.description): void {
  showToast({ ...notImplemented, description })
}
