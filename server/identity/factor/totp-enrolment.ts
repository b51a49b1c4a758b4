/** Second factors of a signed-in user (GoTrue, `api/mfa.go`): adding, asking for, removing them and taking them back. */
import { randomUUID } from 'node:crypto'
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, SqlError, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { oneTimeTokenHash } from '#identity/one-time-tokens.ts'
import { asSignedIn, asSignedInByOneFactor } from '#identity/session/sessions.ts'
import type { Keys } from '#tokens/keys.ts'
import { newTotpSecret } from './totp.ts'

/** Factors of one user, those that were never confirmed included. */
const factorsMax = 10
const challengeLifeSeconds = 300

export type Enrolment =
  | { readonly kind: 'enrolled'; readonly id: string; readonly secret: Uint8Array }
  | { readonly kind: 'too many' | 'name taken' }

/**
 * Refuses (42501, `needsProof`) unless the caller has just shown their password, or that they read their mail
 * (docs/decisions/0044): the first statement of whatever changes second factors.
 */
export function requireProof({ session_id: sessionId }: AccessTokenClaims): SqlStatement {
  return sql`select auth.require_proof(${sessionId})`
}

/** Adds an authenticator app, which counts from its first right code on. Throws `SqlError` FZ401 and 42501. */
export async function enrollTotp(
  database: Database,
  keys: Keys,
  { claims, friendlyName }: { claims: AccessTokenClaims; friendlyName: string | null },
): Promise<Enrolment> {
  const id = randomUUID()
  const secret = newTotpSecret()
  try {
    const [, , inserted] = await database.transaction(asSignedIn(claims, 'write'), [
      requireProof(claims),
      // What was begun and never finished makes room.
      sql`
        delete from auth.mfa_factors f
        where f.user_id = ${claims.sub} and f.status = 'unverified' and f.created_at < now() - interval '10 minutes'`,
      sql`
        insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, secret)
        select ${id}, ${claims.sub}, ${friendlyName}, 'totp', ${keys.factors.seal(secret, id)}
        where (select count(*) from auth.mfa_factors f where f.user_id = ${claims.sub}) < ${factorsMax}
        returning id`,
    ])
    return inserted.length === 1 ? { kind: 'enrolled', id, secret } : { kind: 'too many' }
  } catch (error) {
    if (error instanceof SqlError && error.constraint === 'mfa_factors_friendly_name_key')
      return { kind: 'name taken' }
    throw error
  }
}

export type Challenge = { readonly id: string; readonly expiresAt: number }

/** A question for a code of the factor; `null` when the user has no such app. Unix seconds. */
export async function challengeFactor(
  database: Database,
  claims: AccessTokenClaims,
  factorId: string,
): Promise<Challenge | null> {
  const [, [challenge]] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql`delete from auth.mfa_challenges c where c.factor_id = ${factorId} and c.expires_at <= now()`,
    sql<Challenge>`
      insert into auth.mfa_challenges (factor_id, expires_at)
      select f.id, now() + make_interval(secs => ${challengeLifeSeconds})
      from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type = 'totp'
      returning id, extract(epoch from expires_at)::bigint as "expiresAt"`,
  ])
  return challenge ?? null
}

export type RemovedFactor = { readonly email: string; readonly hasCounted: boolean }

/** Takes an authenticator app away, and with the last one the recovery codes; `null` when there is no such app. */
export async function unenrollTotp(
  database: Database,
  claims: AccessTokenClaims,
  factorId: string,
): Promise<RemovedFactor | null> {
  const [, [app], [removed]] = await database.transaction(asSignedIn(claims, 'write'), [
    // An app that never counted is nothing to protect.
    sql`
      select auth.require_proof(${claims.session_id})
      from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.status = 'verified'`,
    sql<RemovedFactor>`
      select u.email, f.status = 'verified' as "hasCounted"
      from auth.mfa_factors f
      join auth.users u on u.id = f.user_id
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type = 'totp'`,
    sql<{ is_removed: boolean }>`
      select auth.remove_factor(${claims.sub}, f.id) as is_removed
      from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type = 'totp'`,
  ])
  return removed?.is_removed === true && app !== undefined ? app : null
}

/** When an account's factors will end, on the request of an owner who cannot show one; `isNew` for the first request. */
export type FactorsEnd = { readonly at: string; readonly email: string; readonly isNew: boolean }

/**
 * Asks for the end of all the caller's factors, after a wait; `null` for a session that no recovery link has just
 * opened. Throws `SqlError` FZ401.
 */
export async function requestFactorsEnd(
  database: Database,
  claims: AccessTokenClaims,
): Promise<FactorsEnd | null> {
  const [[before], [asked]] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql<{ email: string; is_new: boolean }>`
      select u.email, u.factors_end_at is null as is_new
      from auth.users u
      where u.id = ${claims.sub}
      for update`,
    sql<{ at: string | null }>`select auth.request_factors_end(${claims.sub}, ${claims.session_id}) as at`,
  ])
  if (before === undefined || asked === undefined || asked.at === null) return null
  return { at: new Date(asked.at).toISOString(), email: before.email, isNew: before.is_new }
}

const undoLifeSeconds = 72 * 3600

/** Keeps the link's token with a factor that counts; `factorId: null` means the only one of its type. */
export function storeUndoToken(
  token: string,
  factor: {
    readonly userId: string
    readonly factorType: 'totp' | 'recovery_code'
    readonly factorId: string | null
  },
): SqlStatement {
  return sql`
    update auth.mfa_factors f
    set undo_hash = ${oneTimeTokenHash(token)}, undo_expires_at = now() + make_interval(secs => ${undoLifeSeconds})
    where f.user_id = ${factor.userId} and f.factor_type = ${factor.factorType} and f.status = 'verified'
      and f.id = coalesce(${factor.factorId}::uuid, f.id)`
}

/**
 * Takes the factor away, with those that were added after it, and ends every session and the password. Answers
 * the user's id; `null` when the link is worthless.
 */
export async function undoFactor(database: Database, token: string): Promise<string | null> {
  const [[undone]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ user_id: string | null }>`select auth.undo_factor(${oneTimeTokenHash(token)}) as user_id`,
  ])
  return undone?.user_id ?? null
}
