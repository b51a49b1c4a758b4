import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { showFailure, showToast, type ToastMessage } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'

export type FieldErrors<Name extends string> = Partial<Record<Name, string>>

export type Reading<Value, Name extends string> =
  | { ok: true; value: Value }
  | { ok: false; errors: FieldErrors<Name> }

/** The parsed values, or their errors. */
export function readingOf<Value, Name extends string>(
  errors: FieldErrors<Name>,
  value: Value,
): Reading<Value, Name> {
  return Object.keys(errors).length === 0 ? { ok: true, value } : { ok: false, errors }
}

type Refusal<Name extends string> = {
  title: string
  description: string
  /** The message that stays at the form after the toast. */
  errors?: FieldErrors<Name>
}

export type Submission<Value, Name extends string, Answer = void> = {
  /** Turns what was typed into a value, or says what is wrong with which field. */
  read: (fields: FormData) => Reading<Value, Name>
  /** Throws its refusal. */
  send: (value: Value) => Promise<Answer>
  /** The toast after it; `null` for none. */
  success: ToastMessage | ((value: Value, answer: Answer) => ToastMessage | null)
  failure: (error: unknown, value: Value) => Refusal<Name>
  onDone?: (form: HTMLFormElement) => unknown
}

/**
 * One submission at a time: reads the form, shows what is wrong beside the fields and focuses the first of them, or
 * sends what was read and shows a toast. A second submit while the first is under way does nothing. After success the
 * focus is at the first field again, where the form is still there.
 */
export function useSubmission<Value, Name extends string, Answer = void>({
  read,
  send,
  success,
  failure,
  onDone,
}: Submission<Value, Name, Answer>) {
  const [errors, setErrors] = useState<FieldErrors<Name>>({})
  const { isBusy: isSending, run } = useTask(throwAgain)
  const form = useRef<HTMLFormElement>(null)
  const focused = useRef<Element>(null)

  useEffect(() => {
    // A control that is disabled while sending loses the focus and cannot take it.
    if (isSending) return
    const refused = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (refused) refused.focus()
    else if (focused.current instanceof HTMLElement) restoreFocus(focused.current)
    focused.current = null
  }, [errors, isSending])

  const attempt = async (value: Value, target: HTMLFormElement) => {
    let answer: Answer
    try {
      answer = await send(value)
    } catch (error) {
      const { title, description, errors: refused } = failure(error, value)
      showFailure({ title, description })
      if (refused !== undefined) setErrors(refused)
      return
    }
    const message = typeof success === 'function' ? success(value, answer) : success
    if (message !== null) showToast(message)
    await onDone?.(target)
    focused.current = target.querySelector('input, select, textarea')
  }

  const submit = (target: HTMLFormElement) => {
    const reading = read(new FormData(target))
    setErrors(reading.ok ? {} : reading.errors)
    if (!reading.ok) return null
    focused.current = document.activeElement
    return attempt(reading.value, target)
  }

  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const target = event.currentTarget
    form.current = target
    run(() => submit(target))
  }

  return { errors, isSending, onSubmit, clearErrors: () => setErrors({}) }
}

/** A refusal is shown where it is caught; anything else is a mistake of ours. */
function throwAgain(error: unknown): never {
  throw error
}

/** A password that has to be there, exactly as typed. */
export function readPassword(fields: FormData, missing: string): Reading<string, 'password'> {
  const password = rawTextOf(fields, 'password')
  return readingOf(password === '' ? { password: missing } : {}, password)
}

/** Unless the focus has left the form meanwhile. */
function restoreFocus(element: HTMLElement): void {
  const { activeElement, body } = document
  const isInForm = element.closest('form')?.contains(activeElement) === true
  if (element.isConnected && (isInForm || activeElement === body)) element.focus()
}

/** The text of a field, without surrounding blanks; empty when the field is missing. */
export function textOf(fields: FormData, name: string): string {
  return rawTextOf(fields, name).trim()
}

/** The text of a field as one line. */
export function lineOf(fields: FormData, name: string): string {
  return asLine(rawTextOf(fields, name))
}

/** A text as one line: a paste, or the name of a file, brings tabs, blanks that do not show and accents apart. */
export function asLine(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

/** The text of a field exactly as typed, as a password needs it. */
export function rawTextOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
