/** The caller of a function as the authentication service has them now: session and second factor. */
import {
  type AuthError,
  type SupabaseClient,
  type User,
  isAuthRetryableFetchError,
  isAuthSessionMissingError,
} from '@supabase/supabase-js'
import { FunctionError, notSignedIn, sessionEnded, unavailable } from '#server/functions/handlers/errors.ts'

/** Codes of an ended session or a deleted user; the client has an error of its own for `session_not_found`. */
const endedCodes: ReadonlySet<string | undefined> = new Set([
  'session_expired',
  'user_not_found',
  'user_banned',
])

/** Throws `FunctionError` without a user, for an ended session, and while a second factor has not been shown. */
export async function readCaller(client: SupabaseClient, token: string): Promise<User> {
  const { data, error } = await client.auth.getUser(token)
  if (error !== null) throw errorOf(error)
  const { user } = data
  const hasSecondFactor = user.factors?.some(({ status }) => status === 'verified') === true
  if (hasSecondFactor && claimsOf(token)['aal'] !== 'aal2')
    throw new FunctionError(403, 'Escribe el código de tu aplicación de autenticación para continuar.')
  return user
}

function errorOf(error: AuthError): FunctionError {
  if (isAuthRetryableFetchError(error)) return unavailable(error)
  return isAuthSessionMissingError(error) || endedCodes.has(error.code)
    ? sessionEnded(error)
    : notSignedIn(error)
}

/** The claims of a token that the authentication service has just verified. */
function claimsOf(token: string): Record<string, unknown> {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(atob(payload)) as Record<string, unknown>
}
