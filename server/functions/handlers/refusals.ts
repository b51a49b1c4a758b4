/**
 * What the functions refuse, in one table: status and the Spanish sentence that the administrator reads
 * (product-decisions §11.16). Bodies are `{"error": sentence}`, as the page expects (wire-contract §3).
 */

/** A refusal with its sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  /** HTTP status. */
  readonly status: number
  /** When it is worth trying again; `null` when that is not known. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, sentence: string, options: ErrorOptions & { retryAfterSeconds?: number } = {}) {
    super(sentence, options)
    this.status = status
    this.retryAfterSeconds = options.retryAfterSeconds ?? (status === 503 ? outageRetryAfterSeconds : null)
  }
}

const outageRetryAfterSeconds = 2

/** What the database said when it refused, wherever the function runs. */
export type DatabaseRefusal = {
  /** Five characters: SQLSTATE. */
  readonly sqlState: string
  readonly message: string
  readonly detail: string | null
  readonly constraint: string | null
}

/** Nobody is signed in. */
export function notSignedIn(cause?: unknown): Refusal {
  return new Refusal(401, 'Inicia sesión para continuar.', { cause })
}

/** The session is over. */
export function sessionEnded(cause: unknown): Refusal {
  return new Refusal(401, 'Tu sesión terminó. Vuelve a iniciar sesión.', { cause })
}

/** What stands behind the function is away or overloaded. */
export function unavailable(cause: unknown): Refusal {
  return new Refusal(503, 'El servicio no está disponible. Inténtalo de nuevo en unos segundos.', { cause })
}

/** Too often; worth trying again after so many seconds. */
export function tooManyRequests(retryAfterSeconds: number, cause: unknown): Refusal {
  return new Refusal(429, 'Hiciste demasiadas solicitudes. Espera un momento e inténtalo de nuevo.', {
    cause,
    retryAfterSeconds,
  })
}

/** The address is none. */
export function malformedEmail(cause?: unknown): Refusal {
  return new Refusal(400, 'El email no es válido.', { cause })
}

/** The address is somebody's. */
export function emailTaken(cause: unknown): Refusal {
  return new Refusal(422, emailTakenSentence, { cause })
}

/** The password is too short, too long, or one that everybody tries first. */
export function weakPassword(
  why: 'common' | { readonly lengthMin: number; readonly lengthMax: number },
  cause: unknown,
): Refusal {
  const sentence =
    why === 'common'
      ? 'Esa contraseña es demasiado fácil de adivinar. Elige otra.'
      : `La contraseña debe tener entre ${why.lengthMin} y ${why.lengthMax} caracteres.`
  return new Refusal(422, sentence, { cause })
}

const emailTakenSentence = 'Ya existe un usuario con ese email.'

/** Refusals of the database whose own message is the Spanish sentence to show: SQLSTATE → status. */
const spokenSqlStates: Readonly<Record<string, number>> = {
  '42501': 403,
  P0001: 409,
  P0002: 404,
  // `private.replay_answer`: the idempotency key belongs to another body.
  FZ422: 422,
}

/** `lock_timeout` of `private.claim_answer`: the first call with this key is still at work. */
const inFlightSqlState = '55P03'
const inFlightSentence = 'La misma solicitud se está procesando todavía. Inténtalo de nuevo en unos segundos.'

/** Sentences for constraints, whose own messages speak of tables. */
const constraintSentences: Readonly<Record<string, string>> = {
  // The same as the comments of the constraints, which are what the table API says.
  budgets_balance_exact: 'El saldo quedaría fuera de lo que el banco puede registrar.',
  transactions_amount_is_money: 'El monto debe ser mayor que cero, con dos decimales como máximo.',
  transactions_description_is_a_line: 'Escribe una descripción de 200 caracteres como máximo.',
  transactions_category_is_a_word: 'La categoría no es válida.',
  users_email_key: emailTakenSentence,
}

/** The answer to what the database refused, or `null` when it is a mistake of ours. */
export function refusalOfDatabase({ sqlState, message, constraint }: DatabaseRefusal, cause: unknown) {
  if (sqlState === inFlightSqlState) return new Refusal(409, inFlightSentence, { cause })
  const constraintSentence = constraintSentences[constraint ?? '']
  if (constraintSentence !== undefined) {
    return new Refusal(sqlState === '23505' ? 422 : 400, constraintSentence, { cause })
  }
  // A value that no column takes: too large, no such day, a character that no text may hold.
  if (sqlState.startsWith('22')) return new Refusal(400, 'Un dato de la solicitud no es válido.', { cause })
  // Raised by our own functions and triggers for people to read.
  if (sqlState === '23514' && constraint === null) return new Refusal(400, message, { cause })
  const status = spokenSqlStates[sqlState]
  return status === undefined ? null : new Refusal(status, message, { cause })
}

/** The refusal as the wire has it. */
export function refusalResponse({ status, message, retryAfterSeconds: seconds }: Refusal): Response {
  return Response.json(
    { error: message },
    { status, headers: seconds === null ? {} : { 'retry-after': String(seconds) } },
  )
}
