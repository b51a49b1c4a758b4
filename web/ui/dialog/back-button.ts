import { entryOfBrowser } from '#ui/address/entry.ts'

type Held = { index: number; onStep: () => void }

/** Open calls of `holdPage`. A step in the history calls only the last one. */
const holds: Held[] = []
let isReturning = false

/**
 * Listens to steps in the browser's history. Must be called before the address listens, so that it can hide steps from
 * it.
 */
export function watchBackButton(): void {
  window.addEventListener('popstate', handleStep)
}

/** Keeps the user on the page until the returned function is called. A step in the history calls `onStep` instead. */
export function holdPage(onStep: () => void): () => void {
  const hold: Held = { index: historyIndex(), onStep }
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

/** Returns the number of the present entry, or `NaN` if the page did not create it. */
function historyIndex(): number {
  return entryOfBrowser()?.index ?? Number.NaN
}
