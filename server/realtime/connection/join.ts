/**
 * Authorizes joins and renewed tokens. The steps check the payload, the token, the tables that the caller may read, and
 * the session.
 */
import { unverifiedClaims } from '@finanzas/contract/people/claims.ts'
import {
  type Database,
  DatabaseUnavailable,
  SqlError,
  isSessionEnded,
  lacksSecondFactor,
} from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import type { ApiKeyRole } from '#http/credentials.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import { type Caller, readCaller } from '#tokens/caller.ts'
import { reasons, systemMessages } from '#realtime/errors.ts'
import { type Join, type WantedChanges, readJoin } from './join-request.ts'
import type { PublishedTables } from '#realtime/changes/published-tables.ts'
import { type Subscription, SubscriptionError, subscribe } from '#realtime/changes/subscriptions.ts'

export type JoinServices = {
  readonly database: Database
  readonly tokenKey: TokenKey
  readonly tables: PublishedTables
}

export type Identity =
  | { readonly ok: true; readonly caller: Caller }
  | { readonly ok: false; readonly message: string }

/** The subscriptions of a channel, or the reason why they are refused. */
export type Subscribed = readonly Subscription[] | SubscriptionError

export type JoinVerdict =
  | {
      readonly ok: true
      readonly join: Join
      readonly caller: Caller
      readonly subscribed: Subscribed
    }
  | { readonly ok: false; readonly reason: string }

/** Checks a join. `name` is the topic without its prefix. */
export async function authorizeJoin(
  services: JoinServices,
  apiKeyRole: ApiKeyRole,
  { name, payload }: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> },
): Promise<JoinVerdict> {
  const join = readJoin(payload)
  if (join === null) return { ok: false, reason: reasons.malformedJoin }
  if (join.isPrivate) return { ok: false, reason: reasons.privateChannel(name) }
  if (join.wantsPresence) return { ok: false, reason: reasons.presence }
  const identity = await readIdentity(services.tokenKey, join.accessToken, apiKeyRole)
  if (!identity.ok) return { ok: false, reason: reasons.invalidToken(identity.message) }
  const { caller } = identity
  const subscribed = await subscribeAs(services.tables, join.wanted, caller)
  if (subscribed === null) return { ok: false, reason: reasons.unavailable }
  return { ok: true, join, caller, subscribed }
}

/** Subscribes with the caller's role. Returns `null` if the database is unavailable. */
export async function subscribeAs(
  tables: PublishedTables,
  wanted: readonly WantedChanges[],
  caller: Caller,
): Promise<Subscribed | null> {
  if (wanted.length === 0) return []
  const known = await tables.of(caller.role).catch(nullWhenAway)
  if (known === null) return null
  try {
    return subscribe(wanted, known)
  } catch (error) {
    if (error instanceof SubscriptionError) return error
    throw error
  }
}

function nullWhenAway(error: unknown): null {
  if (error instanceof DatabaseUnavailable || error instanceof SqlError) return null
  throw error
}

/**
 * Verifies a channel's token and returns its caller. Without a token, the caller is the socket's API key. This function
 * does not check the session, because `sessionState` checks it.
 */
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

/**
 * Returns the state of the caller's session; `unknown` during an outage. Before the call, the channel must be
 * registered under this caller, so that a later revocation of the session finds the channel.
 */
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

/**
 * Checks whether an error means that the channel must end: the session has ended, or the session now requires a second
 * factor.
 */
export function isSessionEnd(error: unknown): boolean {
  return isSessionEnded(error) || lacksSecondFactor(error)
}

/** Checks whether two callers are the same user or the same API key. The callers' sessions and tokens may differ. */
export function isSamePerson(one: Caller | null, other: Caller): boolean {
  if (one?.role !== 'authenticated' || other.role !== 'authenticated') return one?.role === other.role
  return one.claims.sub === other.claims.sub
}

/**
 * Returns the number of seconds since a Unix time. The result is rounded, because timers may fire a millisecond early.
 */
export function secondsSince(unixSeconds: number): number {
  return Math.round(Date.now() / 1000 - unixSeconds)
}

/**
 * Returns the `exp` claim of a token that was refused only because it has expired. The signature of such a token has
 * been verified.
 */
function expiryOf(token: string): number {
  return Number(unverifiedClaims(token)['exp'])
}
