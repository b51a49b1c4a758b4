/** The caller of a channel's token, and whether its session is alive. */
import {
  type Database,
  DatabaseUnavailable,
  SqlError,
  lacksSecondFactor,
  sessionEndedSqlState,
} from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import type { ApiKeyRole } from '#http/credentials.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import { type Caller, readCaller } from '#tokens/caller.ts'
import { systemMessages } from '#realtime/errors.ts'

export type Identity =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly message: string }

/** Verifies a channel's token; without one the socket's API key is the caller. */
export async function readIdentity(
  tokenKey: TokenKey,
  token: string | null,
  apiKeyRole: ApiKeyRole,
): Promise<Identity> {
  const verdict = await readCaller(tokenKey, token, apiKeyRole)
  if (verdict.ok) return verdict
  if (verdict.reason !== 'expired') return { ok: false, message: verdict.message }
  return { ok: false, message: systemMessages.tokenExpired(secondsSince(expiryOf(token ?? ''))) }
}

/** The state of the caller's session; `unknown` during an outage. */
export async function sessionState(
  database: Database,
  caller: Caller,
): Promise<'alive' | 'ended' | 'unknown'> {
  // An API key has no session.
  if (caller.role !== 'authenticated') return 'alive'
  try {
    await database.transaction(asCaller(caller, 'read'), [])
    return 'alive'
  } catch (error) {
    if (isSessionEnd(error)) return 'ended'
    if (error instanceof DatabaseUnavailable || error instanceof SqlError) return 'unknown'
    throw error
  }
}

/** Whether the session has ended, or waits for a second factor, which ends a channel too. */
export function isSessionEnd(error: unknown): boolean {
  return (error instanceof SqlError && error.sqlState === sessionEndedSqlState) || lacksSecondFactor(error)
}

/** Whether two callers are the same user, or the same API key, whatever their sessions and tokens. */
export function isSamePerson(one: Caller | null, other: Caller): boolean {
  if (one?.role !== 'authenticated' || other.role !== 'authenticated') return one?.role === other.role
  return one.claims.sub === other.claims.sub
}

/** Seconds from a time (Unix seconds) until now, rounded: timers may be a millisecond early. */
export function secondsSince(unixSeconds: number): number {
  return Math.round(Date.now() / 1000 - unixSeconds)
}

/** The `exp` of a token that was refused for nothing else: its signature has been checked. */
function expiryOf(token: string): number {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number }
  return claims.exp
}
