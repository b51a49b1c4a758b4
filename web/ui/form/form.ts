import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { showFailure, showToast, type ToastMessage } from '#ui/toast/toast-store.ts'
import { useTask } from '#ui/use-task.ts'

/** Error messages by field name. `form` is a message for the whole form. */
export type FieldErrors<Name extends string> = Partial<Record<Name | 'form', string>>

export type Reading<Value, Name extends string> =
  | { ok: true; value: Value }
  | { ok: false; errors: FieldErrors<Name> }

/** Returns the parsed values if `errors` is empty, and the errors otherwise. */
export function readingOf<Value, Name extends string>(
  errors: FieldErrors<Name>,
  value: Value,
): Reading<Value, Name> {
  return Object.keys(errors).length === 0 ? { ok: true, value } : { ok: false, errors }
}

type Refusal<Name extends string> = {
  title: string
  description: string
  /**
   * Messages that stay at the fields after the toast has closed. Without these messages, the description stays
   * above the submit button.
   */
  errors?: FieldErrors<Name>
}

export type Submission<Value, Name extends string, Answer = void> = {
  /** Parses the fields, or returns an error message for each invalid field. */
  read: (fields: FormData) => Reading<Value, Name>
  /** Asks a question about the value. If the promise resolves to false, the value is not sent. */
  ask?: ((value: Value) => Promise<boolean>) | undefined
  /** Throws an error if the server refuses the value. */
  send: (value: Value) => Promise<Answer>
  /** The toast to show after a success, or `null` if no toast is needed. */
  success: ToastMessage | ((value: Value, answer: Answer) => ToastMessage | null)
  failure: (error: unknown, value: Value) => Refusal<Name>
  onDone?: (form: HTMLFormElement) => unknown
}

/**
 * Handles the submission of a form. If fields are invalid, the form shows the errors and focuses the first invalid
 * field. Otherwise, the form sends the value and shows a toast. A second submission is ignored while the first is
 * running. After a success, the first field is focused if the form still exists.
 */
export function useSubmission<Value, Name extends string, Answer = void>({
  read,
  ask,
  send,
  success,
  failure,
  onDone,
}: Submission<Value, Name, Answer>) {
  const [errors, setErrors] = useState<FieldErrors<Name>>({})
  const [isRetry, setIsRetry] = useState(false)
  const { isBusy: isSending, run } = useTask(throwAgain)
  const form = useRef<HTMLFormElement>(null)
  const focused = useRef<Element>(null)

  useEffect(() => {
    // The focus is restored after the submission, because a control that was disabled in the meantime loses the focus.
    if (isSending) return
    const refused = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (refused) refused.focus()
    else if (focused.current instanceof HTMLElement) restoreFocus(focused.current)
    focused.current = null
  }, [errors, isSending])

  const attempt = async (value: Value, target: HTMLFormElement) => {
    if (ask !== undefined && !(await ask(value))) return
    let answer: Answer
    try {
      answer = await send(value)
    } catch (error) {
      const { title, description, errors: refused = {} } = failure(error, value)
      showFailure({ title, description })
      setErrors(Object.keys(refused).length > 0 ? refused : ofForm(description))
      setIsRetry(isRetryable(error))
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
    setIsRetry(false)
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

  return { errors, isRetry, isSending, onSubmit, clearErrors: () => setErrors({}) }
}

/**
 * Returns whether the same values can safely be sent again. Errors from API calls have the field `isOutcomeUnknown`. A
 * `TypeError` means that the API client's code could not be loaded, so nothing was sent.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof TypeError) return true
  return error instanceof Error && 'isOutcomeUnknown' in error && error.isOutcomeUnknown === true
}

/**
 * Returns a message for the whole form. The message stays in the form until the next attempt, whereas a toast closes
 * after five seconds.
 */
function ofForm<Name extends string>(form: string): FieldErrors<Name> {
  return (form === '' ? {} : { form }) as FieldErrors<Name>
}

/** Rethrows the error. Refusals are caught and shown elsewhere, so any error that arrives here is a bug. */
function throwAgain(error: unknown): never {
  throw error
}

/** Reads a required password exactly as typed. */
export function readPassword(fields: FormData, missing: string): Reading<string, 'password'> {
  const password = rawTextOf(fields, 'password')
  return readingOf(password === '' ? { password: missing } : {}, password)
}

/** Focuses the element again, unless the user has moved the focus out of the form. */
function restoreFocus(element: HTMLElement): void {
  const { activeElement, body } = document
  const isInForm = element.closest('form')?.contains(activeElement) === true
  if (element.isConnected && (isInForm || activeElement === body)) element.focus()
}

/** Returns the text of a field without surrounding whitespace, or an empty string if the field is missing. */
export function textOf(fields: FormData, name: string): string {
  return rawTextOf(fields, name).trim()
}

/** Returns the text of a field as one line. */
export function lineOf(fields: FormData, name: string): string {
  return asLine(rawTextOf(fields, name))
}

/**
 * Normalizes a text to one line, because pasted texts and file names may contain tabs, invisible spaces and decomposed
 * accents.
 */
export function asLine(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}

/** Returns the text of a field exactly as it was typed. Passwords require the exact text. */
export function rawTextOf(fields: FormData, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value : ''
}
