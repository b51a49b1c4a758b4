import { useEffect, useRef, useState, type SubmitEvent } from 'react'

export type FieldErrors<Name extends string> = Partial<Record<Name, string>>

export type Reading<Value, Name extends string> =
  | { ok: true; value: Value }
  | { ok: false; errors: FieldErrors<Name> }

type Options<Value, Name extends string> = {
  /** Turns what was typed into a value, or says what is wrong with which field. */
  read: (fields: FormData) => Reading<Value, Name>
  /** Sends what was read; answers what was refused, for the fields that it was refused for. */
  send: (value: Value, form: HTMLFormElement) => Promise<FieldErrors<Name> | void>
}

/**
 * One submission at a time: reads the form, shows what is wrong beside the fields and goes to the
 * first of them, or sends what was read. A second submit while the first is under way does nothing.
 */
export function useSubmission<Value, Name extends string>({ read, send }: Options<Value, Name>) {
  const [errors, setErrors] = useState<FieldErrors<Name>>({})
  const [isSending, setIsSending] = useState(false)
  // State arrives with the next render, too late for the second half of a double click.
  const isUnderWay = useRef(false)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])

  const submit = async (target: HTMLFormElement) => {
    if (isUnderWay.current) return
    const reading = read(new FormData(target))
    setErrors(reading.ok ? {} : reading.errors)
    if (!reading.ok) return
    isUnderWay.current = true
    setIsSending(true)
    const focused = document.activeElement
    try {
      const refused = await send(reading.value, target)
      if (refused !== undefined) setErrors(refused)
    } finally {
      isUnderWay.current = false
      setIsSending(false)
      // A control that is disabled while sending loses the focus; it gets it back.
      if (focused instanceof HTMLElement) window.requestAnimationFrame(() => restoreFocus(focused))
    }
  }

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    form.current = event.currentTarget
    void submit(event.currentTarget)
  }

  return { errors, isSending, onSubmit, clearErrors: () => setErrors({}) }
}

function restoreFocus(element: HTMLElement): void {
  if (element.isConnected && document.activeElement === document.body) element.focus()
}
