import { errorCode } from '@finanzas/contract/wire/error-code.ts'

/** Logs an error that the page does not show to the user (docs/specification.md §8). */
export function logQuietly(error: unknown, what: string): void {
  // oxlint-disable-next-line no-console -- the specification requires the console
  console.warn(`${what}:`, error)
}

/**
 * Returns the message of an error from the auth service, the table API or a function, or an empty string if the error
 * has no message.
 */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage && typeof error.message === 'string' ? error.message : ''
}

/**
 * Codes of the errors whose message is a Spanish sentence for users. The sentence comes from the product's SQL code or
 * from a constraint's `comment on`.
 */
const sentenceCodes = /^(?:PT\d{3}|FZ402|23514)$/

type TableAnswer = { status: number; error: { message?: string; code?: string; details?: string } }

/**
 * Error for a request that the table API refused or did not answer. `message` comes from the answer, and is empty if no
 * answer arrived.
 */
export class TableRefusal extends Error {
  override readonly name = 'TableRefusal'
  readonly hasAnswered: boolean
  /** Whether the call may have taken effect despite the error, because no answer arrived or the server failed. */
  readonly isOutcomeUnknown: boolean
  /** The error code, which is empty if the API did not answer. */
  readonly code: string
  readonly details: string
  /** The message, or an empty string if the message is not written for users. */
  readonly sentence: string

  constructor({ status, error }: TableAnswer) {
    const code = errorCode(error)
    super(code === '' ? '' : error.message, { cause: error })
    this.hasAnswered = status !== 0
    this.isOutcomeUnknown = status === 0 || status >= 500
    this.code = code
    this.details = error.details ?? ''
    this.sentence = sentenceCodes.test(code) ? this.message : ''
  }
}

/**
 * Returns the error's own message for a toast, or `fallback` if the error has no readable message, for example when the
 * client's code could not be loaded.
 */
export function refusalMessage(error: unknown, fallback: string): string {
  if (error instanceof TableRefusal) return error.sentence || fallback
  const message = error instanceof Error && !(error instanceof TypeError) ? error.message : ''
  // If an error response has no message, supabase-js uses the JSON text of its body as the message.
  return message === '' || /^[{[]/.test(message) ? fallback : message
}

/** Outcome of a function call that failed. */
export type Outcome = { hasAnswered: boolean; status?: number; sentence: string; code?: string }

/** Error for a call that a function refused or did not answer. `message` is the function's own message, or empty. */
export class FunctionRefusal extends Error {
  override readonly name = 'FunctionRefusal'
  readonly hasAnswered: boolean
  /** Error code to which the page reacts, or empty if the page only shows the message. */
  readonly code: string
  /** Whether the call may have taken effect despite the error, because no answer arrived or the server failed. */
  readonly isOutcomeUnknown: boolean

  constructor({ hasAnswered, status = 0, sentence, code = '' }: Outcome, options?: ErrorOptions) {
    super(sentence, options)
    this.hasAnswered = hasAnswered
    this.code = code
    this.isOutcomeUnknown = !hasAnswered || status >= 500
  }
}

/**
 * Returns the description of the toasts `Sign in Failed`, `Sign up Failed` and `Sign out Failed`. These toasts show the
 * error's own message, which the auth service writes in English (docs/specification.md §8).
 */
export function specifiedMessage(error: unknown): string {
  return refusalMessage(error, 'Something went wrong')
}
