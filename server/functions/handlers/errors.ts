/**
 * All errors of the functions, with their status and the Spanish message that the page shows. The response body is
 * `{"error": message}`.
 */

export class FunctionError extends Error {
  override readonly name = 'FunctionError'
  /** HTTP status. */
  readonly status: number
  /** `null` when unknown. */
  readonly retryAfterSeconds: number | null
  /** Code for errors to which the page reacts; `null` if the page only shows the message. */
  readonly code: string | null

  constructor(
    status: number,
    sentence: string,
    options: ErrorOptions & { retryAfterSeconds?: number; code?: string | null } = {},
  ) {
    super(sentence, options)
    this.status = status
    this.code = options.code ?? null
    this.retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? outageRetryAfterSeconds : null)
  }
}

const outageRetryAfterSeconds = 2

/** The fields of a database error that are available in both runtimes. */
export type DatabaseError = {
  /** Five characters: SQLSTATE. */
  readonly sqlState: string
  readonly message: string
  readonly detail: string | null
  readonly hint: string | null
  readonly constraint: string | null
}

export function notSignedIn(cause?: unknown): FunctionError {
  return new FunctionError(401, 'Inicia sesión para continuar.', { cause })
}

export function sessionEnded(cause: unknown): FunctionError {
  return new FunctionError(401, 'Tu sesión terminó. Vuelve a iniciar sesión.', { cause })
}

/** The database, or another service that the function needs, is unavailable or overloaded. */
export function unavailable(cause: unknown): FunctionError {
  return new FunctionError(503, 'El servicio no está disponible. Inténtalo de nuevo en unos segundos.', {
    cause,
  })
}

export function tooManyRequests(retryAfterSeconds: number, cause: unknown): FunctionError {
  return new FunctionError(429, 'Hiciste demasiadas solicitudes. Espera un momento e inténtalo de nuevo.', {
    cause,
    retryAfterSeconds,
  })
}

export function tooLongForPdf(cause?: unknown): FunctionError {
  return new FunctionError(413, 'El mes tiene demasiados movimientos para un PDF. Descárgalo en CSV.', {
    cause,
  })
}

export function malformedEmail(cause?: unknown): FunctionError {
  return new FunctionError(400, 'El email no es válido.', { cause })
}

export function emailTaken(cause: unknown): FunctionError {
  return new FunctionError(422, emailTakenSentence, { cause })
}

/** The password is common, or its length is outside the limits. */
export function weakPassword(
  why: 'common' | { readonly lengthMin: number; readonly lengthMax: number },
  cause: unknown,
): FunctionError {
  const sentence =
    why === 'common'
      ? 'Esa contraseña es demasiado fácil de adivinar. Elige otra.'
      : `La contraseña debe tener entre ${why.lengthMin} y ${why.lengthMax} caracteres.`
  return new FunctionError(422, sentence, { cause })
}

const emailTakenSentence = 'Ya existe un usuario con ese email.'

/**
 * The SQLSTATEs whose message is already Spanish text for the user, and the HTTP status for each of them. An SQLSTATE
 * `PTxxx` contains the status itself.
 */
const spokenSqlStates: Readonly<Record<string, number>> = {
  '42501': 403,
  // `private.claim`: the idempotency key was used with another body.
  FZ422: 422,
}

/** `private.claim` reached its `lock_timeout`: the first call with this key is still in progress. */
const inFlightSqlState = '55P03'
const inFlightSentence = 'La misma solicitud se está procesando todavía. Inténtalo de nuevo en unos segundos.'

/** The database's answer exceeds `answerBytesMax`. A hosted project does not limit the length. */
const answerTooLongSqlState = 'FZ431'
const answerTooLongSentence = 'La respuesta es demasiado larga.'

/**
 * Messages for violated constraints, because PostgreSQL's own messages contain table names. The comments on the
 * constraints contain the same messages.
 */
const constraintSentences: Readonly<Record<string, string>> = {
  budgets_balance_exact: 'El saldo quedaría fuera de lo que el banco puede registrar.',
  transactions_amount_is_money: 'El monto debe ser mayor que cero, con dos decimales como máximo.',
  transactions_description_is_a_line: 'Escribe una descripción de 200 caracteres como máximo.',
  transactions_category_is_a_word: 'La categoría no es válida.',
  users_email_key: emailTakenSentence,
}

/** Returns the answer to a database error, or `null` if the error is a bug. */
export function errorOfDatabase(
  { sqlState, message, hint, constraint }: DatabaseError,
  cause: unknown,
): FunctionError | null {
  if (sqlState === inFlightSqlState) return new FunctionError(409, inFlightSentence, { cause })
  const constraintSentence = constraintSentences[constraint ?? '']
  if (constraintSentence !== undefined) {
    return new FunctionError(sqlState === '23505' ? 422 : 400, constraintSentence, { cause })
  }
  if (sqlState === answerTooLongSqlState) return new FunctionError(400, answerTooLongSentence, { cause })
  // The column cannot store the value: the number is too large, the day does not exist, or the text contains a
  // forbidden character.
  if (sqlState.startsWith('22'))
    return new FunctionError(400, 'Un dato de la solicitud no es válido.', { cause })
  // Functions and triggers of the product raise 23514 without a constraint and with a Spanish message.
  if (sqlState === '23514' && constraint === null) return new FunctionError(400, message, { cause })
  // On a hosted project, this error arrives through the table API with a code but without a hint.
  if (sqlState === reauthenticationNeeded)
    return new FunctionError(403, message, { cause, code: reauthenticationNeeded })
  const chosen = /^PT(4\d\d)$/.exec(sqlState)?.[1]
  const status = chosen === undefined ? spokenSqlStates[sqlState] : Number(chosen)
  const code = hint === reauthenticationNeeded ? hint : null
  return status === undefined ? null : new FunctionError(status, message, { cause, code })
}

/**
 * The hint in the error of `auth.require_proof`. The table API uses the same word as its code for this refusal. The
 * page then asks for the password and repeats the call.
 */
const reauthenticationNeeded = 'reauthentication_needed'

export function errorResponse(error: FunctionError): Response {
  const { status, message, code, retryAfterSeconds: seconds } = error
  return Response.json(
    { error: message, ...(code === null ? {} : { code }) },
    { status, headers: seconds === null ? {} : { 'retry-after': String(seconds) } },
  )
}
