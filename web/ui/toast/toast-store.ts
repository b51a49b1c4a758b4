import { createStore } from '#ui/store.ts'

export type ToastMessage = {
  title: string
  description?: string
  /** Said beside the description, which is the specification's. */
  note?: string
  /** `destructive` for failures. */
  variant?: 'default' | 'destructive'
  /** An action beside the text; pressing it closes the toast. */
  action?: { label: string; onSelect: () => void; keyShortcuts?: string }
  /** An action with a longer label, below the text; pressing it closes the toast too. */
  offer?: { label: string; onSelect: () => void }
  /** Gives way to any other, and takes the place of none but another quiet one. */
  isQuiet?: boolean
  /** Milliseconds until it closes by itself; `Infinity` keeps it. */
  durationMs?: number
}

export type ShownToast = ToastMessage & { id: number }

let shown: ShownToast | null = null
let lastId = 0
const store = createStore(() => shown)

export const useShownToast = store.useValue

/** Shows a toast; it replaces the one that is shown. */
export function showToast(message: ToastMessage): void {
  lastId += 1
  publish({ ...message, id: lastId })
}

/** Shows a toast that answers nothing, unless one is shown that has something to say or to offer. */
export function showQuietly(message: ToastMessage): void {
  if (shown === null || shown.isQuiet === true) showToast({ ...message, isQuiet: true })
}

export function showFailure(message: { title: string; description?: string }): void {
  showToast({ ...message, variant: 'destructive' })
}

export function dismissToast(id: number): void {
  if (shown?.id === id) publish(null)
}

/** A failure is not carried to where something else is done. */
export function dismissFailure(): void {
  if (shown?.variant === 'destructive') publish(null)
}

/** Closes a success toast at the end of its session. A failure stays, because it may explain the end. */
export function dismissNews(): void {
  if (shown?.variant !== 'destructive') publish(null)
}

function publish(toast: ShownToast | null): void {
  shown = toast
  store.announce()
}
