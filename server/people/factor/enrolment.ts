/** Adds and removes second factors of a signed-in user (GoTrue, `api/mfa.go`). */
import { randomUUID } from 'node:crypto'
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type Database, type SqlStatement, SqlError, sql } from '#database/database.ts'
import { asSignedIn } from '#people/session/sessions.ts'
import type { Keys } from '#tokens/keys.ts'
import { newTotpSecret } from './totp.ts'

/** Maximum number of factors of one user, including unconfirmed factors. */
const factorsMax = 10

export type Enrolment =
  | { readonly kind: 'enrolled'; readonly id: string }
  | { readonly kind: 'too many factors' | 'factor name taken' }

/**
 * Refuses the batch (42501, `needsProof`) unless the caller has recently entered the password or used a mailed link or
 * code (docs/decisions/0044). Every batch that changes second factors begins with this statement.
 */
export function requireProof({ session_id: sessionId }: AccessTokenClaims): SqlStatement {
  return sql`select auth.require_proof(${sessionId})`
}

/**
 * Adds an authenticator app, which takes effect when the user first enters a correct code. Throws `SqlError` FZ401 and
 * 42501.
 */
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

/** Adds a passkey, which takes effect once the browser has created the passkey. Throws `SqlError` FZ401 and 42501. */
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
      // Deletes expired unconfirmed factors, so that they do not count toward the maximum. Also deletes an unconfirmed
      // factor that has the same name and belongs to another session.
      sql`
        delete from auth.mfa_factors f
        where f.user_id = ${claims.sub} and not auth.is_visible_in(f, ${claims.session_id})
          and (f.created_at <= now() - interval '10 minutes' or f.friendly_name = ${friendlyName})`,
      sql`
        insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, secret, begun_in)
        select ${id}, ${claims.sub}, ${friendlyName}, ${factorType}, ${sealed}, ${claims.session_id}
        where (select count(*) from auth.mfa_factors f where f.user_id = ${claims.sub}) < ${factorsMax}
        returning id`,
    ])
    return inserted.length === 1 ? { kind: 'enrolled', id } : { kind: 'too many factors' }
  } catch (error) {
    if (error instanceof SqlError && error.constraint === 'mfa_factors_friendly_name_key')
      return { kind: 'factor name taken' }
    throw error
  }
}

export type RemovedFactor = {
  readonly email: string
  readonly factorType: 'totp' | 'webauthn'
  readonly hasCounted: boolean
}

/**
 * Removes an app or a passkey. Removing the user's last app or passkey also removes the recovery codes. Returns `null`
 * for an unknown factor.
 */
export async function unenrollFactor(
  database: Database,
  claims: AccessTokenClaims,
  factorId: string,
): Promise<RemovedFactor | null> {
  const [, [factor]] = await database.transaction(asSignedIn(claims, 'write'), [
    // An unconfirmed factor does not protect the account yet; removing it therefore requires no proof.
    sql`
      select auth.require_proof(${claims.session_id})
      from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.status = 'verified'`,
    sql<RemovedFactor & { is_removed: boolean }>`
      select u.email, f.factor_type as "factorType", f.status = 'verified' as "hasCounted",
        auth.remove_factor(${claims.sub}, f.id) as is_removed
      from auth.mfa_factors f
      join auth.users u on u.id = f.user_id
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type <> 'recovery_code'
        and auth.is_visible_in(f, ${claims.session_id})`,
  ])
  return factor?.is_removed === true ? factor : null
}
