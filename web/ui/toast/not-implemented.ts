import { showToast } from './toast-store.ts'
import { uiCopy } from '#ui/copy.ts'

/** Toast for the placeholders in the specification, which do not store anything. */
export const notImplemented = {
  title: uiCopy.notImplementedTitle,
  description: uiCopy.notImplementedText,
} as const

/** Callers can pass a description that says how the user can reach the same goal in another way. */
export function announceNotImplemented(description: string = notImplemented.description): void {
  showToast({ ...notImplemented, description })
}
