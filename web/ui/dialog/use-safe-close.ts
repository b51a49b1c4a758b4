import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import { holdPage } from './back-button.ts'

/** These strings are not in copy.ts, because they are needed only when a dialog opens. */
const questions = {
  discard: '¿Quieres descartar lo que escribiste?',
  sent: 'Ya se está enviando y puede quedar hecho. ¿Quieres cerrar sin esperar la respuesta?',
} as const

type Options = {
  panel: RefObject<HTMLElement | null>
  /** Identifies the content that the panel shows. */
  part: string
  /** Whether the panel must stay open. This hook then never closes the panel. */
  isHeld: boolean
  /** Whether the panel has input that it does not show. A string is the question to ask before the panel closes. */
  unsaved: boolean | string
  onClose: () => void
}

/**
 * Returns a function that closes a panel without losing input. The function asks for confirmation if text was typed or
 * a form is being sent. The browser's back button closes the panel in the same way, instead of leaving the page. The
 * browser also asks before the user leaves the site, if text was typed, if a form is being sent or if `isHeld` is true.
 */
export function useSafeClose({ panel, part, isHeld, unsaved, onClose }: Options): () => void {
  const initial = useRef<string>('')
  useLayoutEffect(() => {
    initial.current = contentOf(panel.current)
  }, [panel, part])

  const question = () => {
    if (panel.current?.querySelector('form > fieldset:disabled')) return questions.sent
    if (typeof unsaved === 'string') return unsaved
    return unsaved || contentOf(panel.current) !== initial.current ? questions.discard : null
  }
  const close = () => {
    if (isHeld) return
    const asked = question()
    if (asked === null || window.confirm(asked)) onClose()
  }

  const closeNow = useEffectEvent(close)
  const warn = useEffectEvent((event: BeforeUnloadEvent) => {
    if (isHeld || question() !== null) event.preventDefault()
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
  const controls =
    panel?.querySelectorAll<HTMLInputElement>('input:not([type=search]), select, textarea') ?? []
  return JSON.stringify(Array.from(controls, ({ value, checked }) => [value, checked]))
}
