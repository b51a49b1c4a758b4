/** Second factors of a signed-in user (GoTrue, `api/mfa.go`): adding, asking for and removing them. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, SqlError, sql } from '#database/database.ts'
import { asSignedIn, asSignedInByOneFactor } from '#identity/session/sessions.ts'
import type { Keys } from '#tokens/keys.ts'
import { type Passkey, selectPasskeys } from './passkey.ts'
import { newTotpSecret } from './totp.ts'

/** Factors of one user, those that were never confirmed included. */
const factorsMax = 10
const challengeLifeSeconds = 300
const challengeBytes = 32

export type Enrolment =
  | { readonly kind: 'enrolled'; readonly id: string }
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
  request: { claims: AccessTokenClaims; friendlyName: string | null },
): Promise<Enrolment & { readonly secret: Uint8Array }> {
  const id = randomUUID()
  const secret = newTotpSecret()
  const sealed = keys.factors.seal(secret, id)
  return { ...(await enroll(database, { ...request, id, factorType: 'totp', sealed })), secret }
}

/** Adds a passkey, which counts from when its browser has made it. Throws `SqlError` FZ401 and 42501. */
export function enrollPasskey(
  database: Database,
  request: { claims: AccessTokenClaims; friendlyName: string | null },
): Promise<Enrolment> {
  return enroll(database, { ...request, id: randomUUID(), factorType: 'webauthn', sealed: null })
}

async function enroll(
  database: Database,
  begun: {
    readonly claims: AccessTokenClaims
    readonly friendlyName: string | null
    readonly id: string
    readonly factorType: 'totp' | 'webauthn'
    readonly sealed: Uint8Array | null
  },
): Promise<Enrolment> {
  const { claims, friendlyName, id, factorType, sealed } = begun
  try {
    const [, , inserted] = await database.transaction(asSignedIn(claims, 'write'), [
      requireProof(claims),
      // What was begun and never finished makes room.
      sql`
        delete from auth.mfa_factors f
        where f.user_id = ${claims.sub} and f.status = 'unverified' and f.created_at < now() - interval '10 minutes'`,
      sql`
        insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, secret)
        select ${id}, ${claims.sub}, ${friendlyName}, ${factorType}, ${sealed}
        where (select count(*) from auth.mfa_factors f where f.user_id = ${claims.sub}) < ${factorsMax}
        returning id`,
    ])
    return inserted.length === 1 ? { kind: 'enrolled', id } : { kind: 'too many' }
  } catch (error) {
    if (error instanceof SqlError && error.constraint === 'mfa_factors_friendly_name_key')
      return { kind: 'name taken' }
    throw error
  }
}

/** A question to a factor; the rest is what a passkey's browser is told. */
export type Challenge = {
  readonly id: string
  /** Unix seconds. */
  readonly expiresAt: number
  readonly factorType: 'totp' | 'webauthn'
  readonly isFirst: boolean
  /** What a passkey is to sign. */
  readonly bytes: Uint8Array
  readonly user: { readonly email: string; readonly fullName: string | null }
  /** The passkeys of the user that count, any of which may answer, as upstream has it. */
  readonly passkeys: readonly Passkey[]
}

/** A question to the factor, for this session; `null` when the user has no such app or passkey. */
export async function challengeFactor(
  database: Database,
  claims: AccessTokenClaims,
  factorId: string,
): Promise<Challenge | null> {
  const bytes = randomBytes(challengeBytes)
  const [, [challenge], passkeys] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql`delete from auth.mfa_challenges c where c.factor_id = ${factorId} and c.expires_at <= now()`,
    sql<Omit<Challenge, 'bytes' | 'passkeys'>>`
      with asked as (
        insert into auth.mfa_challenges (factor_id, session_id, expires_at, web_authn_session_data)
        select f.id, ${claims.session_id}, now() + make_interval(secs => ${challengeLifeSeconds}),
          case f.factor_type when 'webauthn' then jsonb_build_object(
            'challenge', ${bytes.toString('base64url')}::text,
            'type', case f.status when 'verified' then 'request' else 'create' end) end
        from auth.mfa_factors f
        where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type <> 'recovery_code'
        returning id, factor_id, expires_at
      )
      select a.id, extract(epoch from a.expires_at)::bigint as "expiresAt", f.factor_type as "factorType",
        f.status = 'unverified' as "isFirst",
        jsonb_build_object('email', u.email, 'fullName', u.raw_user_meta_data ->> 'full_name') as "user"
      from asked a
      join auth.mfa_factors f on f.id = a.factor_id
      join auth.users u on u.id = f.user_id`,
    selectPasskeys(claims.sub),
  ])
  return challenge === undefined ? null : { ...challenge, bytes, passkeys }
}

export type RemovedFactor = {
  readonly email: string
  readonly factorType: 'totp' | 'webauthn'
  readonly hasCounted: boolean
}

/** Takes an app or a passkey away, and with the last one the recovery codes; `null` when there is no such factor. */
export async function unenrollFactor(
  database: Database,
  claims: AccessTokenClaims,
  factorId: string,
): Promise<RemovedFactor | null> {
  const [, [factor], [removed]] = await database.transaction(asSignedIn(claims, 'write'), [
    // A factor that never counted is nothing to protect.
    sql`
      select auth.require_proof(${claims.session_id})
      from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.status = 'verified'`,
    sql<RemovedFactor>`
      select u.email, f.factor_type as "factorType", f.status = 'verified' as "hasCounted"
      from auth.mfa_factors f
      join auth.users u on u.id = f.user_id
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type <> 'recovery_code'`,
    sql<{ is_removed: boolean }>`
      select auth.remove_factor(${claims.sub}, f.id) as is_removed
      from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type <> 'recovery_code'`,
  ])
  return removed?.is_removed === true && factor !== undefined ? factor : null
}
