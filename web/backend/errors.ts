import { errorCode } from '@finanzas/contract/error-code.ts'

/** Logs an error that the specification shows to no user (docs/specification.md §8). */
export function logQuietly(error: unknown, what: string): void {
  // oxlint-disable-next-line no-console -- the console is where the specification wants it
  console.warn(`${what}:`, error)
}

/** The message of an error of the auth service, the table API or a function; empty without one. */
export function errorMessage(error: unknown): string {
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error
  return hasMessage && typeof error.message === 'string' ? error.message : ''
}

/** Codes of the database's own sentences in Spanish: SQL of the product raised them, or a constraint has one (`comment on`). */
const sentenceCodes = /^(?:PT\d{3}|FZ402|23514)$/

type TableAnswer = { status: number; error: { message?: string; code?: string; details?: string } }

/** A refusal of the table API, or its missing answer. The message is the answer's own, and empty where none came. */
export class TableRefusal extends Error {
  override readonly name = 'TableRefusal'
  readonly hasAnswered: boolean
  /** Whether the call may have taken effect despite the error: no answer arrived, or the server failed. */
  readonly isOutcomeUnknown: boolean
  /** Empty without an answer of the API. */
  readonly code: string
  readonly details: string
  /** The message where it is a sentence for customers; otherwise empty. */
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

/** The error's own message, for a toast; `fallback` without a readable one, as where the client did not load. */
export function refusalMessage(error: unknown, fallback: string): string {
  if (error instanceof TableRefusal) return error.sentence || fallback
  const message = error instanceof Error && !(error instanceof TypeError) ? error.message : ''
  // The client makes a body without a message into JSON.
  return message === '' || /^[{[]/.test(message) ? fallback : message
}
