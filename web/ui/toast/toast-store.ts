import { createStore } from '#ui/store.ts'

export type ToastMessage = {
  title: string
  description?: string
  /**
   * Text beside the description. The note is a separate field, because the specification prescribes only the
   * description.
   */
  note?: string
  /** The `destructive` variant is used for failures. */
  variant?: 'default' | 'destructive'
  /** A button beside the text. Pressing the button also closes the toast. */
  action?: { label: string; onSelect: () => void; keyShortcuts?: string }
  /** A button with a longer label, placed below the text. Pressing the button also closes the toast. */
  offer?: { label: string; onSelect: () => void }
  /** Whether the toast is quiet. Any toast can replace a quiet toast, but a quiet toast replaces only quiet toasts. */
  isQuiet?: boolean
  /** Milliseconds until the toast closes by itself. If the value is `Infinity`, the toast stays open. */
  durationMs?: number
}

export type ShownToast = ToastMessage & { id: number }

let shown: ShownToast | null = null
let lastId = 0
const store = createStore(() => shown)

export const useShownToast = store.useValue

/** Shows a toast in place of the current toast. */
export function showToast(message: ToastMessage): void {
  lastId += 1
  publish({ ...message, id: lastId })
}

/** Shows a toast about an event that the user did not cause. This toast replaces only quiet toasts. */
export function showQuietly(message: ToastMessage): void {
  if (shown === null || shown.isQuiet === true) showToast({ ...message, isQuiet: true })
}

export function showFailure(message: { title: string; description?: string }): void {
  showToast({ ...message, variant: 'destructive' })
}

export function dismissToast(id: number): void {
  if (shown?.id === id) publish(null)
}

/** Closes a toast that reports a failure. Called when the user starts a different action. */
export function dismissFailure(): void {
  if (shown?.variant === 'destructive') publish(null)
}

/**
 * Closes the current toast when the session ends. A toast that reports a failure stays open, because the failure may
 * explain why the session ended.
 */
export function dismissNews(): void {
  if (shown?.variant !== 'destructive') publish(null)
}

function publish(toast: ShownToast | null): void {
  shown = toast
  store.announce()
}
