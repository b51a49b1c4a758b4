import { errorCode } from '@finanzas/contract/error-code.ts'

/** Logs an error that the page does not show to the user (docs/specification.md §8). */
export function logQuietly(error: unknown, what: string): void {
  // oxlint-disable-next-line no-console -- the specification requires the console
  console.warn(`${what}:`, error)
}

/** Returns the message of an error of the auth service, the table API or a function, or an empty text. */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage && typeof error.message === 'string' ? error.message : ''
}

/**
 * Codes of errors whose message is a Spanish sentence. The sentence comes from the product's SQL, or from the `comment
 * on` of a constraint.
 */
const sentenceCodes = /^(?:PT\d{3}|FZ402|23514)$/

type TableAnswer = { status: number; error: { message?: string; code?: string; details?: string } }

/**
 * A refusal by the table API, or a request without an answer. Its message is that of the answer, or empty without an
 * answer.
 */
export class TableRefusal extends Error {
  override readonly name = 'TableRefusal'
  readonly hasAnswered: boolean
  /** Whether the call may have taken effect despite the error: no answer arrived, or the server failed. */
  readonly isOutcomeUnknown: boolean
  /** Empty if the API did not answer. */
  readonly code: string
  readonly details: string
  /** The message if it is a sentence for customers, otherwise empty. */
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
 * Returns the error's own message for a toast, or `fallback` if it has no readable one, for example when the client did
 * not load.
 */
export function refusalMessage(error: unknown, fallback: string): string {
  if (error instanceof TableRefusal) return error.sentence || fallback
  const message = error instanceof Error && !(error instanceof TypeError) ? error.message : ''
  // If a body has no message, supabase-js uses the JSON of the body as the message.
  return message === '' || /^[{[]/.test(message) ? fallback : message
}

/** Outcome of a failed call of a function. */
export type Outcome = { hasAnswered: boolean; status?: number; sentence: string; code?: string }

/** A refusal by a function. The message is the function's own sentence, or empty. */
export class FunctionRefusal extends Error {
  override readonly name = 'FunctionRefusal'
  readonly hasAnswered: boolean
  /** Code to which the page reacts. Empty if the page only shows the sentence. */
  readonly code: string
  /** Whether the call may have taken effect despite the error: no answer arrived, or the server failed. */
  readonly isOutcomeUnknown: boolean

  constructor({ hasAnswered, status = 0, sentence, code = '' }: Outcome, options?: ErrorOptions) {
    super(sentence, options)
    this.hasAnswered = hasAnswered
    this.code = code
    this.isOutcomeUnknown = !hasAnswered || status >= 500
  }
}
