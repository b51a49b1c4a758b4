/**
 * The caller and the supabase-js clients of one function call on a hosted project, and the errors of the project's
 * table API.
 */
import { unverifiedClaims } from '@finanzas/contract/people/claims.ts'
import {
  type AuthError,
  type PostgrestSingleResponse,
  type SupabaseClient,
  type User,
  createClient,
  isAuthRetryableFetchError,
  isAuthSessionMissingError,
} from '@supabase/supabase-js'
import {
  type DatabaseError,
  FunctionError,
  emailTaken,
  malformedEmail,
  notSignedIn,
  sessionEnded,
  unavailable,
} from '#server/functions/handlers/errors.ts'
import type { FunctionRuntime, IdempotencyKey } from '#server/functions/handlers/runtime.ts'

/** A project's URL and keys, which the platform passes to its functions, and the bank's own settings. */
export type Project = {
  readonly url: string
  readonly anonKey: string
  readonly serviceRoleKey: string
  readonly bank: FunctionRuntime['bank']
  /** The private key that signs statements (PKCS #8), or `null` if the bank has no such key. */
  readonly statementKey: Uint8Array<ArrayBuffer> | null
}

export type Clients = {
  readonly caller: User
  /** The `session_id` claim of the caller's verified token. */
  readonly sessionId: string
  /** Client with the caller's rights. */
  readonly user: SupabaseClient
  /** Client with the public key's rights. */
  readonly anon: SupabaseClient
  /** Client with the service key's rights, which bypass every policy. */
  readonly service: SupabaseClient
}

const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false }

export function serviceClient({ url, serviceRoleKey }: Project): SupabaseClient {
  return createClient(url, serviceRoleKey, { auth })
}

/** Returns a client that uses the public key and, if a token is given, has the token's rights. */
export function publicClient({ url, anonKey }: Project, token: string | null): SupabaseClient {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  return createClient(url, anonKey, { auth, global: { headers } })
}

/** Returns an SQL function's result. Throws `ApiError`. */
export async function callSql(call: PromiseLike<PostgrestSingleResponse<unknown>>): Promise<unknown> {
  const { data, error, status } = await call
  if (error !== null) throw new ApiError(status, error)
  return data
}

/**
 * Returns whether the caller's order about this transaction or user waits for the decision of another administrator.
 */
export async function waitsForApproval({ user }: Clients, id: string): Promise<boolean> {
  return (await callSql(user.rpc('waits_for_approval', { id }))) === true
}

/**
 * Returns the arguments for an SQL function that is called with the service key, acts on behalf of the caller
 * (`private.act_for`) and claims the call's idempotency key.
 */
export function actorArguments(
  { caller, sessionId }: Clients,
  key: IdempotencyKey | null,
): Record<string, string> {
  const actor = { actor: caller.id, session_id: sessionId }
  return key === null ? actor : { ...actor, idempotency_key: key.key, body_hash: key.bodyHash }
}

/** An error from the table API, with those fields of the database error that the table API passes on. */
export class ApiError extends Error implements DatabaseError {
  override readonly name = 'ApiError'
  /** HTTP status; 0 if no answer arrived. */
  readonly status: number
  readonly sqlState: string
  readonly detail: string | null
  readonly hint: string | null
  /**
   * Name of the violated constraint, parsed from PostgreSQL's message because the table API has no field for the name.
   */
  readonly constraint: string | null

  constructor(
    status: number,
    error: {
      readonly code: string
      readonly message: string
      readonly details: string | null
      readonly hint?: string | null
    },
  ) {
    super(error.message)
    this.status = status
    this.sqlState = error.code
    this.detail = error.details
    this.hint = error.hint ?? null
    this.constraint = /\bconstraint "([^"]+)"/.exec(error.message)?.[1] ?? null
  }

  get isOutage(): boolean {
    return this.status === 0 || this.status >= 500
  }

  /** Whether the table API refused the token (the codes are in PostgREST's `Error.hs`). */
  get isTokenRefused(): boolean {
    return this.sqlState === 'PGRST301' || this.sqlState === 'PGRST303'
  }
}

/**
 * Error codes for an ended session or a deleted user. The client reports `session_not_found` with a separate
 * error class.
 */
const endedCodes: ReadonlySet<string | undefined> = new Set([
  'session_expired',
  'user_not_found',
  'user_banned',
])

/**
 * Returns the caller's current data in the authentication service, and the id of their session. Throws
 * `FunctionError` if the user does not exist, if the session has ended, or if the session has not passed the
 * user's second factor.
 */
export async function readCaller(
  client: SupabaseClient,
  token: string,
): Promise<{ caller: User; sessionId: string }> {
  const { data, error } = await client.auth.getUser(token)
  if (error !== null) throw errorOf(error)
  const { user } = data
  // The authentication service has just verified the token.
  const { aal, session_id: sessionId } = unverifiedClaims(token)
  const hasSecondFactor = user.factors?.some(({ status }) => status === 'verified') === true
  if (hasSecondFactor && aal !== 'aal2')
    throw new FunctionError(403, 'Completa la verificación en dos pasos para continuar.')
  return { caller: user, sessionId: String(sessionId) }
}

/**
 * Returns the function's error if the authentication service refused an e-mail address, and `null` for any other error.
 */
export function addressErrorOf(error: AuthError): FunctionError | null {
  if (error.code === 'email_exists') return emailTaken(error)
  if (error.code === 'email_address_invalid' || error.code === 'validation_failed')
    return malformedEmail(error)
  return null
}

function errorOf(error: AuthError): FunctionError {
  if (isAuthRetryableFetchError(error)) return unavailable(error)
  return isAuthSessionMissingError(error) || endedCodes.has(error.code)
    ? sessionEnded(error)
    : notSignedIn(error)
}
