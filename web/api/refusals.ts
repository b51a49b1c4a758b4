import { errorCode } from '@finanzas/contract/wire/error-code.ts'
import { showFailure } from '#ui/toast/toast-store.ts'
import { logQuietly, Refusal } from './errors.ts'

type Text = string | ((error: unknown) => string)

/**
 * The texts of one surface for calls that fail, by error code. `offline` and `noAnswer` are for calls without an answer,
 * and `unavailable` is for calls that may have taken effect. `otherwise` is for every other error.
 */
export type Refusals = { readonly [code: string]: Text; readonly otherwise: Text }

/** A call that can fail: its name in the log, the title of the toast, and the texts of its surface. */
type Call = { readonly name: string; readonly title: string; readonly refusals: Refusals }

/** Logs a failed call, and shows its refusal in a toast. */
export function showRefusal(error: unknown, call: Call): void {
  showFailure(refusalMessage(error, call))
}

/** Logs a failed call, and returns its refusal for the toast of a form. */
export function refusalMessage(
  error: unknown,
  { name, title, refusals }: Call,
): { title: string; description: string } {
  logQuietly(error, name)
  return { title, description: refusalText(error, refusals) }
}

/**
 * Returns the text for a failed call: the surface's text for the error code, then the bank's own sentence, then the
 * surface's text for the cause.
 */
export function refusalText(error: unknown, refusals: Refusals): string {
  const textFor = (key: string) => {
    const text = Object.hasOwn(refusals, key) && refusals[key]
    return typeof text === 'function' ? text(error) : text || ''
  }
  const sentence = error instanceof Refusal ? error.sentence : ''
  return textFor(errorCode(error)) || sentence || textFor(causeOf(error)) || textFor('otherwise')
}

function causeOf(error: unknown): string {
  if (error instanceof Refusal && error.hasAnswered)
    return error.isOutcomeUnknown ? 'unavailable' : 'otherwise'
  return navigator.onLine ? 'noAnswer' : 'offline'
}
