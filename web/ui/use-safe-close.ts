import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { uiCopy } from './copy.ts'

type Options = {
  panel: RefObject<HTMLElement | null>
  /** Asked at every closing, for what is shown only once; otherwise only what was typed is asked about. */
  question: string | undefined
  onClose: () => void
}

/**
 * The closing that loses nothing: it asks before it throws away what was typed in the panel. The browser's back button
 * closes the panel instead of leaving the page, and the browser asks before it leaves the site.
 */
export function useSafeClose({ panel, question, onClose }: Options): () => void {
  const initial = useRef<string>('')
  useLayoutEffect(() => {
    initial.current = contentOf(panel.current)
  }, [panel])

  const lossQuestion = () =>
    question ?? (contentOf(panel.current) === initial.current ? undefined : uiCopy.discardQuestion)
  const close = () => {
    const asked = lossQuestion()
    if (asked === undefined || window.confirm(asked)) onClose()
  }

  const latest = useRef({ close, lossQuestion })
  useEffect(() => {
    latest.current = { close, lossQuestion }
  })
  useEffect(() => {
    const place = placeInHistory()
    const handleBack = (event: PopStateEvent) => {
      const steps = place - placeInHistory()
      // Back in place after the step below, or a step within the page.
      if (Number.isNaN(steps) || steps === 0) return
      // The router must not hear of it: it would draw another page, and the panel would be gone.
      event.stopImmediatePropagation()
      window.addEventListener('popstate', stopOnce, { capture: true, once: true })
      window.history.go(steps)
      latest.current.close()
    }
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (latest.current.lossQuestion() !== undefined) event.preventDefault()
    }
    window.addEventListener('popstate', handleBack, { capture: true })
    window.addEventListener('beforeunload', handleUnload)
    return () => {
      window.removeEventListener('popstate', handleBack, { capture: true })
      window.removeEventListener('beforeunload', handleUnload)
    }
  }, [])

  return close
}

function stopOnce(event: PopStateEvent): void {
  event.stopImmediatePropagation()
}

/** The router's number of the entry; `NaN` for one that it did not make. */
function placeInHistory(): number {
  const state: unknown = window.history.state
  return typeof state === 'object' && state !== null && 'idx' in state ? Number(state.idx) : Number.NaN
}

/** What the controls hold. */
function contentOf(panel: HTMLElement | null): string {
  const controls = panel?.querySelectorAll<HTMLInputElement>('input, select, textarea') ?? []
  return JSON.stringify(Array.from(controls, ({ value }) => value))
}
