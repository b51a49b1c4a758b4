/**
 * Redeems a mailed link (GoTrue, `api/verify.go`, `api/token.go`): the link confirms the address and opens a session,
 * and works only once.
 */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { type OneTimeTokenType, oneTimeTokenHash } from '#people/one-time-tokens.ts'
import { type CodeChallenge, answersChallenge } from './pkce.ts'
import { type Device, type SignedIn, selectSignedIn } from './sessions.ts'

/**
 * Either the token of a link, or data that the user typed: the address, and the token or a six-digit code (as an HMAC).
 */
export type Credential =
  | { readonly token: string; readonly email: string | null }
  | { readonly codeMac: string; readonly email: string }

export type Redemption =
  /**
   * `method` is the link's purpose. After `recovery` or `invite`, the user must choose a password before doing anything
   * else.
   */
  | { readonly kind: 'signed in'; readonly signedIn: SignedIn; readonly method: string }
  /** PKCE: the client that requested the link exchanges the code for a session. */
  | { readonly kind: 'code'; readonly authCode: string }
  /** Only one of the two addresses has confirmed the address change so far. */
  | { readonly kind: 'partly confirmed' }
  | { readonly kind: 'refused' }

/**
 * Uses up the token, confirms the address to which the token was mailed, and opens the session. Refuses an unknown or
 * expired token, a code that was tried too often, a wrong address and a banned owner, without using up the token. With
 * `canAnswerCode`, a link that was requested under PKCE yields an authorization code instead of a session.
 */
export async function redeem(
  database: Database,
  request: {
    readonly credential: Credential
    readonly types: readonly OneTimeTokenType[]
    readonly device: Device
    readonly canAnswerCode: boolean
  },
): Promise<Redemption> {
  const { credential, types, device } = request
  const sessionId = randomUUID()
  const authCode = randomUUID()
  const [[redeemed], [signedIn]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ outcome: 'signed in' | 'code' | 'partly confirmed'; method: string }>`
      select r.outcome, r.method
      from auth.redeem_one_time_token(
        string_to_array(${types.join(' ')}, ' '),
        ${'token' in credential ? oneTimeTokenHash(credential.token) : null},
        ${credential.email},
        ${'codeMac' in credential ? credential.codeMac : null},
        ${sessionId},
        ${request.canAnswerCode ? oneTimeTokenHash(authCode) : null},
        ${JSON.stringify(device)}
      ) as r`,
    selectSignedIn(sessionId),
  ])
  if (redeemed === undefined) return { kind: 'refused' }
  if (redeemed.outcome === 'partly confirmed') return { kind: redeemed.outcome }
  if (redeemed.outcome === 'code') return { kind: 'code', authCode }
  return signedIn === undefined
    ? { kind: 'refused' }
    : { kind: 'signed in', signedIn, method: redeemed.method }
}

export type ExchangeOutcome =
  | { readonly kind: 'signed in'; readonly signedIn: SignedIn }
  | { readonly kind: 'unknown code' | 'expired code' | 'wrong verifier' }

/** Exchanges the code of a redeemed link for a session. A wrong verifier does not use up the code. */
export async function exchangeCode(
  database: Database,
  request: { readonly authCode: string; readonly verifier: string; readonly device: Device },
): Promise<ExchangeOutcome> {
  const codeHash = oneTimeTokenHash(request.authCode)
  const [[flow]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<CodeChallenge & { is_expired: boolean }>`
      select f.code_challenge as challenge, f.code_challenge_method as method, f.expires_at <= now() as is_expired
      from auth.flow_state f
      where f.auth_code_hash = ${codeHash}`,
  ])
  if (flow === undefined) return { kind: 'unknown code' }
  if (flow.is_expired) return { kind: 'expired code' }
  if (!answersChallenge(request.verifier, flow)) return { kind: 'wrong verifier' }
  const sessionId = randomUUID()
  const [, , [signedIn]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    // Locks the account first. A concurrent request that ends the account's sessions therefore runs completely before
    // this transaction, and voids the code, or completely after it, and ends this session too.
    sql`
      select from auth.users u
      where u.id = (select f.user_id from auth.flow_state f where f.auth_code_hash = ${codeHash})
      for update`,
    sql`
      with spent as (
        delete from auth.flow_state f
        using auth.users u
        where f.auth_code_hash = ${codeHash} and f.expires_at > now() and u.id = f.user_id
          and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
        returning f.user_id, f.authentication_method
      )
      select auth.open_session(${sessionId}, s.user_id, s.authentication_method, ${JSON.stringify(request.device)})
      from spent s`,
    selectSignedIn(sessionId),
  ])
  return signedIn === undefined ? { kind: 'unknown code' } : { kind: 'signed in', signedIn }
}
