type Held = { index: number; onStep: () => void }

let held: Held | null = null
let isReturning = false

/** Listens to steps in the browser's history; called before the router, which must not get some of them. */
export function watchBackButton(): void {
  window.addEventListener('popstate', handleStep)
}

/** Holds the page until the returned function is called: a step in the history calls back instead. */
export function holdPage(onStep: () => void): () => void {
  const hold: Held = { index: historyIndex(), onStep }
  held = hold
  return () => {
    if (held === hold) held = null
  }
}

function handleStep(event: PopStateEvent): void {
  const steps = held === null ? Number.NaN : held.index - historyIndex()
  if (isReturning) {
    isReturning = false
    event.stopImmediatePropagation()
  } else if (held !== null && !Number.isNaN(steps) && steps !== 0) {
    event.stopImmediatePropagation()
    isReturning = true
    window.history.go(steps)
    held.onStep()
  }
}

/** The router's number of the entry; `NaN` for one that it did not make. */
function historyIndex(): number {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state ? Number(state.idx) : Number.NaN
}
