import { entryOfBrowser } from '#ui/address/entry.ts'

type Held = { index: number; onStep: () => void }

/** The last one is asked. */
const holds: Held[] = []
let isReturning = false

/** Listens to steps in the browser's history; called before the address follows, which must not get some of them. */
export function watchBackButton(): void {
  window.addEventListener('popstate', handleStep)
}

/** Holds the page until the returned function is called: a step in the history calls back instead. */
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

/** `NaN` for an entry that the page did not make. */
function historyIndex(): number {
  return entryOfBrowser()?.index ?? Number.NaN
}
