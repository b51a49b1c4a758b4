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
 * Matches an error's code, followed by its message, if the message is a Spanish sentence for users. The sentence comes
 * from the product's SQL code (FZ402, FZ422 and FZ429) or from a constraint's `comment on`. A hosted project sends
 * PostgreSQL's English message instead of this comment.
 */
const spoken = /^(?:PT...|FZ4[02][29]|23514(?!.* constraint )|reauthentication_needed)/

type TableAnswer = { status: number; error: { message?: string; code?: string; details?: string } }

type Reason = { status: number; hasAnswered: boolean; code: string; sentence: string }

/** Error for a call that the bank refused or did not answer. */
export class Refusal extends Error {
  readonly hasAnswered: boolean
  /** Whether the call may have taken effect despite the error, because no answer arrived or the server failed. */
  readonly isOutcomeUnknown: boolean
  /** The error code, which is empty if the bank did not answer or did not send any. */
  readonly code: string
  /** The message that the bank wrote for users, or an empty string. */
  readonly sentence: string

  constructor(message: string | undefined, reason: Reason, options?: ErrorOptions) {
    super(message, options)
    this.hasAnswered = reason.hasAnswered
    this.isOutcomeUnknown = !reason.hasAnswered || reason.status >= 500
    this.code = reason.code
    this.sentence = reason.sentence
  }
}

/**
 * Error for a request that the table API refused or did not answer. `message` comes from the answer, and is empty if no
 * answer arrived.
 */
export class TableRefusal extends Refusal {
  override readonly name = 'TableRefusal'
  readonly details: string

  constructor({ status, error }: TableAnswer) {
    const code = errorCode(error)
    const message = code && (error.message ?? '')
    const sentence = spoken.test(code + message) ? message : ''
    super(message, { status, hasAnswered: status !== 0, code, sentence }, { cause: error })
    this.details = error.details ?? ''
  }
}

/** Outcome of a function call that failed. */
export type Outcome = { hasAnswered: boolean; status?: number; sentence: string; code?: string }

/** Error for a call that a function refused or did not answer. `message` is the function's own message, or empty. */
export class FunctionRefusal extends Refusal {
  override readonly name = 'FunctionRefusal'

  constructor({ hasAnswered, status = 0, sentence, code = '' }: Outcome, options?: ErrorOptions) {
    super(sentence, { status, hasAnswered, code, sentence }, options)
  }
}

/** Returns whether the call may have taken effect although it failed. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof Refusal && error.isOutcomeUnknown
}

/**
 * Returns the message of the auth service, or an empty string if the error has no readable message, for example when the
 * client's code could not be loaded.
 */
export function serviceMessage(error: unknown): string {
  if (error instanceof Refusal) return error.sentence
  const message = error instanceof Error && !(error instanceof TypeError) ? error.message : ''
  // If an error response has no message, supabase-js uses the JSON text of its body as the message.
  return /^[{[]/.test(message) ? '' : message
}

/**
 * Returns the description of the toasts `Sign in Failed`, `Sign up Failed` and `Sign out Failed`. These toasts show the
 * error's own message, which the auth service writes in English (docs/specification.md §8).
 */
export function specifiedMessage(error: unknown): string {
  return serviceMessage(error) || 'Something went wrong'
}
