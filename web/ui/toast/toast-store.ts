import { createStore } from '#ui/store.ts'

export type ToastMessage = {
  title: string
  description?: string
  /** Text beside the description. The specification prescribes only the description. */
  note?: string
  /** `destructive` is for failures. */
  variant?: 'default' | 'destructive'
  /** A button beside the text. Pressing it closes the toast. */
  action?: { label: string; onSelect: () => void; keyShortcuts?: string }
  /** A button with a longer label, below the text. Pressing it also closes the toast. */
  offer?: { label: string; onSelect: () => void }
  /** Any other toast replaces a quiet toast. A quiet toast replaces only another quiet one. */
  isQuiet?: boolean
  /** Milliseconds until the toast closes by itself. With `Infinity` it stays. */
  durationMs?: number
}

export type ShownToast = ToastMessage & { id: number }

let shown: ShownToast | null = null
let lastId = 0
const store = createStore(() => shown)

export const useShownToast = store.useValue

/** Shows a toast, which replaces the present one. */
export function showToast(message: ToastMessage): void {
  lastId += 1
  publish({ ...message, id: lastId })
}

/** Shows a toast that no user asked for. It does not replace a toast that is not quiet. */
export function showQuietly(message: ToastMessage): void {
  if (shown === null || shown.isQuiet === true) showToast({ ...message, isQuiet: true })
}

export function showFailure(message: { title: string; description?: string }): void {
  showToast({ ...message, variant: 'destructive' })
}

export function dismissToast(id: number): void {
  if (shown?.id === id) publish(null)
}

/** Closes a failure toast when the user begins something else. */
export function dismissFailure(): void {
  if (shown?.variant === 'destructive') publish(null)
}

/** Closes a success toast at the end of the session. A failure stays, because it may explain that end. */
export function dismissNews(): void {
  if (shown?.variant !== 'destructive') publish(null)
}

function publish(toast: ShownToast | null): void {
  shown = toast
  store.announce()
}
