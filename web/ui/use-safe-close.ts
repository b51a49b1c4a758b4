import { createContext, use, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { holdPage } from './back-button.ts'

/** What a dialog asks before what was typed in it is thrown away; the application gives the words. */
export const DiscardQuestion = createContext('')

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
  const discardQuestion = use(DiscardQuestion)
  const initial = useRef<string>('')
  useLayoutEffect(() => {
    initial.current = contentOf(panel.current)
  }, [panel])

  const lossQuestion = () =>
    question ?? (contentOf(panel.current) === initial.current ? undefined : discardQuestion)
  const close = () => {
    const asked = lossQuestion()
    if (asked === undefined || window.confirm(asked)) onClose()
  }

  const latest = useRef({ close, lossQuestion })
  useEffect(() => {
    latest.current = { close, lossQuestion }
  })
  useEffect(() => {
    const release = holdPage(() => latest.current.close())
    const handleUnload = (event: BeforeUnloadEvent) => {
      if (latest.current.lossQuestion() !== undefined) event.preventDefault()
    }
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
