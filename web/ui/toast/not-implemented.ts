import { showToast } from './toast-store.ts'
import { uiCopy } from '#ui/copy.ts'

/** Toast of the specification's placeholders, which store nothing. */
export const notImplemented = {
  title: uiCopy.notImplementedTitle,
  description: uiCopy.notImplementedText,
} as const

/** The text may say where the user can do the same today. */
export function announceNotImplemented(description: string = notImplemented.description): void {
  showToast({ ...notImplemented, description })
}
