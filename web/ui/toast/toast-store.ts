export type ToastMessage = {
  title: string
  description?: string
  /** `destructive` for failures. */
  variant?: 'default' | 'destructive'
  /** What can still be done about it; doing it closes the toast. */
  action?: { label: string; onSelect: () => void; keyShortcuts?: string }
  /** Milliseconds until it closes by itself; `Infinity` keeps it. */
  durationMs?: number
}

export type ShownToast = ToastMessage & { id: number }

let shown: ShownToast | null = null
let lastId = 0
const listeners = new Set<() => void>()

/** Shows a toast; it replaces the one that is shown. */
export function showToast(message: ToastMessage): void {
  lastId += 1
  publish({ ...message, id: lastId })
}

export function showFailure(message: { title: string; description?: string }): void {
  showToast({ ...message, variant: 'destructive' })
}

export function dismissToast(id: number): void {
  if (shown?.id === id) publish(null)
}

export function shownToast(): ShownToast | null {
  return shown
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function publish(toast: ShownToast | null): void {
  shown = toast
  for (const listener of listeners) listener()
}
