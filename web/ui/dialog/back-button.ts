import { entryOfBrowser } from '#ui/address/entry.ts'

type Held = { index: number; onStep: () => void }

/** Calls of `holdPage` that have not been released. The back button triggers only the last of these calls. */
const holds: Held[] = []
let isReturning = false

/**
 * Listens for the browser's back and forward buttons. Must be called before `AddressProvider` adds its own listener, so
 * that this function's listener can stop the event.
 */
export function watchBackButton(): void {
  window.addEventListener('popstate', handleStep)
}

/**
 * Keeps the user on the page until the returned function is called. In the meantime, the back and forward buttons call
 * `onStep`.
 */
export function holdPage(onStep: () => void): () => void {
  // While a step is being undone, the browser is still at the other entry. A call on top of another call therefore keeps
  // the user on the same entry.
  const hold: Held = { index: holds[0]?.index ?? historyIndex(), onStep }
  holds.push(hold)
  return () => {
    holds.splice(holds.indexOf(hold), 1)
  }
}

function handleStep(event: PopStateEvent): void {
  const held = holds.at(-1)
  const steps = held === undefined ? Number.NaN : held.index - historyIndex()
  if (isReturning) {
    isReturning = false
    event.stopImmediatePropagation()
  } else if (held !== undefined && !Number.isNaN(steps) && steps !== 0) {
    event.stopImmediatePropagation()
    isReturning = true
    window.history.go(steps)
    held.onStep()
  }
}

/** Returns the number of the current history entry, or `NaN` if the page did not create the entry. */
function historyIndex(): number {
  return entryOfBrowser()?.index ?? Number.NaN
}
