import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import { holdPage } from './back-button.ts'
import { uiCopy } from '#ui/copy.ts'

type Options = {
  panel: RefObject<HTMLElement | null>
  /** Which of its contents the panel shows. */
  part: string
  /** Whether nothing of this closes it. */
  isHeld: boolean
  onClose: () => void
}

/**
 * The closing that loses nothing: it asks before it throws away what was typed in the panel, and does not close a panel
 * that is held. The browser's back button closes the panel instead of leaving the page, and the browser asks before it
 * leaves the site.
 */
export function useSafeClose({ panel, part, isHeld, onClose }: Options): () => void {
  const initial = useRef<string>('')
  useLayoutEffect(() => {
    initial.current = contentOf(panel.current)
  }, [panel, part])

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
