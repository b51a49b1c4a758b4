import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react'
import { holdPage } from './back-button.ts'

/** Here and not in copy.ts: it comes with the first dialog. */
const questions = {
  discard: '¿Quieres descartar lo que escribiste?',
  sent: 'Ya se está enviando y puede quedar hecho. ¿Quieres cerrar sin esperar la respuesta?',
} as const

type Options = {
  panel: RefObject<HTMLElement | null>
  /** Which of its contents the panel shows. */
  part: string
  /** Whether nothing of this closes it. */
  isHeld: boolean
  onClose: () => void
}

/**
 * The closing that loses nothing: it asks before it throws away what was typed in the panel, or closes while it is sent,
 * and does not close a panel that is held. The browser's back button closes the panel instead of leaving the page, and the browser asks before it
 * leaves the site.
 */
export function useSafeClose({ panel, part, isHeld, onClose }: Options): () => void {
  const initial = useRef<string>('')
  useLayoutEffect(() => {
    initial.current = contentOf(panel.current)
  }, [panel, part])

  const question = () => {
    if (panel.current?.querySelector('form > fieldset:disabled')) return questions.sent
    return contentOf(panel.current) === initial.current ? null : questions.discard
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
  const controls = panel?.querySelectorAll<HTMLInputElement>('input, select, textarea') ?? []
  return JSON.stringify(Array.from(controls, ({ value, checked }) => [value, checked]))
}
