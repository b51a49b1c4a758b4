import { showToast } from './toast-store.ts'
import { uiCopy } from '#ui/copy.ts'

/** Toast for the placeholders in the specification, which do not store anything. */
export const notImplemented = {
  title: uiCopy.notImplementedTitle,
  description: uiCopy.notImplementedText,
} as const

/** The description may say how the user can reach the same goal by other means. */
export function announceNotImplemented(description: string = notImplemented.description): void {
  showToast({ ...notImplemented, description })
}
