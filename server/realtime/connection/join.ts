/** Authorizes joins and renewed tokens: the payload, its token and session, and the tables that the caller may select from. */
import { type Database, DatabaseUnavailable, SqlError } from '#database/database.ts'
import type { ApiKeyRole } from '#http/credentials.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { Caller } from '#tokens/caller.ts'
import { reasons, systemMessages } from '#realtime/errors.ts'
import { type Identity, readIdentity, sessionState } from './identity.ts'
import { type JoinRequest, readJoinRequest } from './join-request.ts'
import type { PublishedTables } from '#realtime/changes/published-tables.ts'
import { type Subscription, SubscriptionError, subscribe } from '#realtime/changes/subscriptions.ts'

export type JoinServices = {
  readonly database: Database
  readonly tokenKey: TokenKey
  readonly tables: PublishedTables
}

/** The subscriptions of a channel, or why it has none. */
export type Subscribed = readonly Subscription[] | SubscriptionError

export type JoinVerdict =
  | {
      readonly ok: true
      readonly request: JoinRequest
      readonly caller: Caller
      readonly subscribed: Subscribed
    }
  | { readonly ok: false; readonly reason: string }

/** `name` is the topic without its prefix. */
export async function authorizeJoin(
  services: JoinServices,
  apiKeyRole: ApiKeyRole,
  join: { readonly name: string; readonly payload: Readonly<Record<string, unknown>> },
): Promise<JoinVerdict> {
  const request = readJoinRequest(join.payload)
  if (request === null) return { ok: false, reason: reasons.malformedJoin }
  if (request.isPrivate) return { ok: false, reason: reasons.privateChannel(join.name) }
  const identity = await readIdentity(services.tokenKey, request.accessToken, apiKeyRole)
  if (!identity.ok) return { ok: false, reason: reasons.invalidToken(identity.message) }
  const { caller } = identity
  const subscribed = await subscribeAs(services.tables, request, caller)
  if (subscribed === null) return { ok: false, reason: reasons.unavailable }
  // Last, so that a session that ends from now on finds the channel joined.
  const state = await sessionState(services.database, caller)
  if (state === 'ended') return { ok: false, reason: reasons.invalidToken(systemMessages.sessionEnded) }
  if (state === 'unknown') return { ok: false, reason: reasons.unavailable }
  return { ok: true, request, caller, subscribed }
}

/** Authorizes an `access_token` push. During an outage the token is enough: each delivery checks the session again. */
export async function authorizeRenewal(
  { database, tokenKey }: JoinServices,
  apiKeyRole: ApiKeyRole,
  token: string,
): Promise<Identity> {
  const identity = await readIdentity(tokenKey, token, apiKeyRole)
  if (!identity.ok || (await sessionState(database, identity.caller)) !== 'ended') return identity
  return { ok: false, message: systemMessages.sessionEnded }
}

/** Subscribes with the caller's role; `null` when the database could not be asked. */
export async function subscribeAs(
  tables: PublishedTables,
  { wanted }: JoinRequest,
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
