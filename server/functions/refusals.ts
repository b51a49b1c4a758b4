/**
 * What the functions refuse, in one table: status and the Spanish sentence that the administrator reads
 * (product-decisions §11.16). Bodies are `{"error": sentence}`, as the page expects (wire-contract §3).
 */
import { DatabaseUnavailable, SqlError, sessionEndedSqlState } from '#database/database.ts'
import { retryAfterSeconds } from '#http/wire-error.ts'
import { TooManyHashes } from '#identity/hashing-queue.ts'

/** A refusal with its sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** HTTP status. */
  readonly status: number

  constructor(status: number, sentence: string, options?: ErrorOptions) {
    super(sentence, options)
    this.status = status
  }
}

const sessionEnded = { status: 401, sentence: 'Tu sesión terminó. Vuelve a iniciar sesión.' }
const unavailable = {
  status: 503,
  sentence: 'El servicio no está disponible. Inténtalo de nuevo en unos segundos.',
}

/** Refusals of the database whose own message is the Spanish sentence to show: SQLSTATE → status. */
const spokenSqlStates: Readonly<Record<string, number>> = { '42501': 403, P0001: 409, P0002: 404 }

/** Sentences for constraints, whose own messages speak of tables. */
const constraintSentences: Readonly<Record<string, string>> = {
  budgets_balance_exact: 'El saldo quedaría fuera de lo que el banco puede registrar.',
  transactions_amount_is_money: 'El monto debe ser mayor que cero, con dos decimales como máximo.',
  transactions_description_is_a_line: 'Escribe una descripción de 200 caracteres como máximo.',
  transactions_category_is_a_word: 'La categoría no es válida.',
  users_email_key: 'Ya existe un usuario con ese email.',
}

/** The answer to whatever went wrong, or `null` when it is a mistake of ours. */
export function refusalOf(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (error instanceof DatabaseUnavailable || error instanceof TooManyHashes)
    return new Refusal(unavailable.status, unavailable.sentence, { cause: error })
  if (!(error instanceof SqlError)) return null
  if (error.sqlState === sessionEndedSqlState)
    return new Refusal(sessionEnded.status, sessionEnded.sentence, { cause: error })
  const constraintSentence = constraintSentences[error.constraint ?? '']
  if (constraintSentence !== undefined) {
    return new Refusal(error.sqlState === '23505' ? 422 : 400, constraintSentence, { cause: error })
  }
  // Raised by our own functions and triggers for people to read.
  if (error.sqlState === '23514' && error.constraint === null)
    return new Refusal(400, error.message, { cause: error })
  const status = spokenSqlStates[error.sqlState]
  return status === undefined ? null : new Refusal(status, error.message, { cause: error })
}

/** The refusal as the wire has it. */
export function refusalResponse({ status, message }: Refusal): Response {
  return Response.json(
    { error: message },
    { status, headers: status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {} },
  )
}
