/**
 * Keeps a session usable on a device whose clock is wrong. supabase-js compares the expiry of the access token with the
 * device's clock, and therefore can send an expired token, or renew a good token before every request.
 */
import type { SupabaseClient } from '@supabase/supabase-js'
import { unverifiedClaims } from '@finanzas/contract/people/claims.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

type Auth = SupabaseClient['auth']
type Send = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>

/** Time in which a renewed token is not renewed again, so that a server that refuses every token causes no loop. */
const renewedMs = 60_000

/** Time in which another tab that used the same refresh token stores the session that it received. */
const otherTabMs = 500

/** Codes of a refused renewal whose session has ended. The client itself believes its clock and keeps the session. */
const endedCodes = new Set([
  'refresh_token_not_found',
  'refresh_token_already_used',
  'session_expired',
  'session_not_found',
])

/**
 * Returns a `fetch` for the client. If the server refuses a user's token, the function renews the session once and
 * repeats the request once, with the same body and headers. The server refuses a token before it does anything.
 */
export function createRenewingFetch(send: Send, auth: () => Auth): Send {
  let last = { token: '', at: 0 }

  /** Returns a good token of the same user instead of the refused token, or `null`. */
  const renew = async (refused: string): Promise<string | null> => {
    const stored = await storedToken(auth(), refused)
    // Another request or another tab has already renewed the session, or the session has ended.
    if (stored !== refused) return stored
    if (refused === last.token && performance.now() - last.at < renewedMs) return null
    // The client lets simultaneous calls share one renewal.
    const { error } = await auth().refreshSession()
    let token = await storedToken(auth(), refused)
    if (token === refused && errorCode(error) === 'refresh_token_already_used') {
      await new Promise((resolve) => setTimeout(resolve, otherTabMs))
      token = await storedToken(auth(), refused)
    }
    if (token === refused) {
      if (endedCodes.has(errorCode(error))) await auth().signOut({ scope: 'local' })
      return null
    }
    if (token !== null) last = { token, at: performance.now() }
    return token
  }

  return async (input, init) => {
    const answer = await send(input, init)
    const headers = new Headers(init?.headers)
    const refused = headers.get('Authorization')?.replace(/^Bearer /, '') ?? ''
    if (subjectOf(refused) === null || !(await isTokenRefused(answer)))
      return isAuthCall(input) ? withoutServerTime(answer) : answer
    const token = await renew(refused)
    if (token === null) return answer
    headers.set('Authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}

/**
 * Returns the token of the stored session, or `null` if the session belongs to another user than the given token. A
 * request must never be repeated in the name of another user.
 */
async function storedToken(auth: Auth, token: string): Promise<string | null> {
  const { data } = await auth.getSession()
  return data.session !== null && data.session.user.id === subjectOf(token) ? data.session.access_token : null
}

/** Returns the user's id in an access token, or `null` for an API key. */
function subjectOf(token: string): string | null {
  try {
    const { sub } = unverifiedClaims(token)
    return typeof sub === 'string' ? sub : null
  } catch {
    return null
  }
}

/** Returns whether the server refused the token. The auth service answers 403, also for other reasons. */
async function isTokenRefused(answer: Response): Promise<boolean> {
  return answer.status === 401 || (answer.status === 403 && errorCode(await bodyOf(answer)) === 'bad_jwt')
}

/**
 * Removes the server's `expires_at` from a new session. The client then adds `expires_in` to the device's own time, and
 * renews the session in time by a clock that is wrong but steady.
 */
async function withoutServerTime(answer: Response): Promise<Response> {
  const body = answer.ok ? await bodyOf(answer) : null
  if (typeof body !== 'object' || body === null || !('access_token' in body)) return answer
  const { status, headers } = answer
  return Response.json({ ...body, expires_at: undefined }, { status, headers })
}

function isAuthCall(input: RequestInfo | URL): boolean {
  return (input instanceof Request ? input.url : String(input)).includes('/auth/v1/')
}

async function bodyOf(answer: Response): Promise<unknown> {
  return answer
    .clone()
    .json()
    .catch(() => null)
}
