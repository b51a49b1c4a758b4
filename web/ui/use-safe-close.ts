import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import { uiCopy } from './copy.ts'

type Options = {
  panel: RefObject<HTMLElement | null>
  /** Whether nothing of this closes it. */
  isHeld: boolean
  onClose: () => void
}

/**
 * The closing that loses nothing: it asks before it throws away what was typed in the panel, and does not close a panel
 * that is held. The browser's back button closes the panel instead of leaving the page, and the browser asks before it
 * leaves the site.
 */
export function useSafeClose({ panel, isHeld, onClose }: Options): () => void {
  const initial = useRef<string>('')
  useLayoutEffect(() => {
    initial.current = contentOf(panel.current)
  }, [panel])

  const isTouched = () => contentOf(panel.current) !== initial.current
  const close = () => {
    if (isHeld) return
    if (!isTouched() || window.confirm(uiCopy.discardQuestion)) onClose()
  }

  const closeNow = useEffectEvent(close)
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isHeld || isTouched()) event.preventDefault()
  })
  useEffect(() => {
    const release = holdPage(() => closeNow())
    const handleUnload = (event: BeforeUnloadEvent) => warn(event)
    window.addEventListener('beforeunload', handleUnload)
    return () => {
      release()
      window.removeEventListener('beforeunload', handleUnload)
    }
  }, [])

  return close
}

function contentOf(panel: HTMLElement | null): string {
  const controls = panel?.querySelectorAll<HTMLInputElement>('input, select, textarea') ?? []
  return JSON.stringify(Array.from(controls, ({ value }) => value))
}

type Held = { index: number; onStep: () => void }

let held: Held | null = null
let isReturning = false

/** Listens to steps in the browser's history; called before the router, which must not get some of them. */
export function watchBackButton(): void {
  window.addEventListener('popstate', handleStep)
}

/** Holds the page until the returned function is called: a step in the history calls back instead. */
function holdPage(onStep: () => void): () => void {
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
