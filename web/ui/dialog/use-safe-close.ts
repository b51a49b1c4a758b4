import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { holdPage } from './back-button.ts'
import type { Question } from './question.tsx'

/** These strings are not in copy.ts, because they are needed only when a dialog opens. */
const questions = {
  discard: { text: '¿Quieres descartar lo que escribiste?', confirm: 'Descartar' },
  sent: {
    text: 'Ya se está enviando y puede quedar hecho. ¿Quieres cerrar sin esperar la respuesta?',
    confirm: 'Cerrar',
  },
} as const

type Options = {
  panel: RefObject<HTMLElement | null>
  /** Identifies the content that the panel shows. */
  part: string
  /** Whether the panel must stay open. This hook then never closes the panel. */
  isHeld: boolean
  /** Whether the panel has input that it does not show, or the question to ask before the panel closes. */
  unsaved: boolean | Question
  onClose: () => void
}

/**
 * Returns a function that closes a panel without losing input. If text was typed or a form is being sent, the function
 * instead sets the question that the panel must show. If the reason has changed before the user confirms, the panel asks
 * again. The browser's back button closes the panel in the same way, instead of leaving the page. The browser also asks
 * before the user leaves the site, if text was typed, if a form is being sent or if `isHeld` is true.
 */
export function useSafeClose({ panel, part, isHeld, unsaved, onClose }: Options): {
  close: () => void
  question: Question | null
  onAnswer: (isConfirmed: boolean) => void
} {
  const [shown, setShown] = useState<Question | null>(null)
  const initial = useRef<string>('')
  useLayoutEffect(() => {
    initial.current = contentOf(panel.current)
  }, [panel, part])

  const question = (): Question | null => {
    if (panel.current?.querySelector('form > fieldset:disabled')) return questions.sent
    if (typeof unsaved === 'object') return unsaved
    return unsaved || contentOf(panel.current) !== initial.current ? questions.discard : null
  }
  const close = () => {
    if (isHeld) return
    const asked = question()
    if (asked === null) onClose()
    else setShown(asked)
  }

  const onAnswer = (isConfirmed: boolean) => {
    const asked = isConfirmed ? question() : null
    const isNew = asked !== null && asked.text !== shown?.text
    setShown(isNew ? asked : null)
    if (isConfirmed && !isNew) onClose()
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

  return { close, question: shown, onAnswer }
}

function contentOf(panel: HTMLElement | null): string {
  const controls =
    panel?.querySelectorAll<HTMLInputElement>('input:not([type=search]), select, textarea') ?? []
  return JSON.stringify(Array.from(controls, ({ value, checked }) => [value, checked]))
}
