/**
 * Verifies second factors (GoTrue, `api/mfa.go`). An attempt is counted before its code is checked. Each code works
 * only once, even within the thirty seconds in which it is valid. Several consecutive wrong codes delay the next
 * attempt.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import type { Keys } from '#tokens/keys.ts'
import { newOneTimeToken, oneTimeTokenHash } from '#people/one-time-tokens.ts'
import {
  type SignedIn,
  asSignedInByOneFactor,
  selectSignedIn,
  sessionEnded,
} from '#people/session/sessions.ts'
import { matchingStep } from './totp.ts'

export type FactorOutcome =
  /**
   * `undoToken` is the token for the link that removes the factor. The value is `null` unless this verification has
   * confirmed a new factor.
   */
  | { readonly kind: 'verified'; readonly signedIn: SignedIn; readonly undoToken: string | null }
  | { readonly kind: 'unknown factor' | 'unknown challenge' | 'expired challenge' }
  /** `cause` is only logged. */
  | { readonly kind: 'wrong code'; readonly cause?: unknown }
  | { readonly kind: 'locked'; readonly waitSeconds: number }

type Try = {
  readonly outcome: 'open' | 'unknown' | 'unknown challenge' | 'expired' | 'locked'
  readonly wait_seconds: number
  readonly secret: Uint8Array | null
}

/** Raises the caller's session to aal2 with an authenticator app's code. Throws `SqlError` FZ401 and 42501. */
export async function verifyTotp(
  database: Database,
  keys: Keys,
  request: {
    readonly claims: AccessTokenClaims
    readonly factorId: string
    readonly challengeId: string
    readonly code: string
  },
): Promise<FactorOutcome> {
  const { claims, factorId, challengeId, code } = request
  const tried = await tryFactor(database, claims, { factorId, challengeId })
  if (tried.outcome !== 'open') return refusalOf(tried)
  const secret = tried.secret === null ? null : keys.factors.open(tried.secret, factorId)
  const step = secret === null ? null : matchingStep(secret, code, Date.now())
  if (step === null) return { kind: 'wrong code' }
  return raiseSession(database, {
    claims,
    accept: (undoHash) => sql`
      select auth.accept_totp(
        ${claims.sub}, ${claims.session_id}, ${factorId}, ${challengeId}, ${step}, ${undoHash}) as outcome`,
  })
}

/** Raises the caller's session to aal2 with one of the user's recovery codes. Throws `SqlError` FZ401. */
export async function verifyRecoveryCode(
  database: Database,
  request: {
    readonly claims: AccessTokenClaims
    readonly factorId: string
    readonly codeMac: string
  },
): Promise<FactorOutcome> {
  const { claims, factorId, codeMac } = request
  const tried = await tryFactor(database, claims, { factorId, challengeId: null })
  if (tried.outcome !== 'open') return refusalOf(tried)
  return raiseSession(database, {
    claims,
    accept: () => sql`
      select auth.accept_recovery_code(
        ${claims.sub}, ${claims.session_id}, ${factorId}, ${codeMac}) as outcome`,
  })
}

async function tryFactor(
  database: Database,
  claims: AccessTokenClaims,
  { factorId, challengeId }: { factorId: string; challengeId: string | null },
): Promise<Try> {
  const [[tried]] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql<Try>`
      select t.outcome, t.wait_seconds, t.secret
      from auth.try_factor(${claims.sub}, ${claims.session_id}, ${factorId}, ${challengeId}) as t`,
  ])
  return tried ?? { outcome: 'unknown', wait_seconds: 0, secret: null }
}

function refusalOf({ outcome, wait_seconds: waitSeconds }: Try): FactorOutcome {
  if (outcome === 'locked') return { kind: 'locked', waitSeconds }
  if (outcome === 'unknown challenge') return { kind: outcome }
  return { kind: outcome === 'expired' ? 'expired challenge' : 'unknown factor' }
}

export type Accepted = { readonly outcome: 'added' | 'shown' | 'refused' }

/**
 * Runs the statement that accepts the code or passkey response. `accept` gets the hash of the token for the link that
 * removes a new factor. The same statement confirms the factor and stores the hash, so that a concurrent response
 * cannot replace the hash.
 */
export async function raiseSession(
  database: Database,
  { claims, accept }: { claims: AccessTokenClaims; accept: (undoHash: string) => SqlStatement<Accepted> },
): Promise<FactorOutcome> {
  const undoToken = newOneTimeToken()
  const [[accepted], [signedIn]] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    accept(oneTimeTokenHash(undoToken)),
    selectSignedIn(claims.session_id),
  ])
  if (signedIn === undefined) throw sessionEnded()
  if (accepted === undefined || accepted.outcome === 'refused') return { kind: 'wrong code' }
  return { kind: 'verified', signedIn, undoToken: accepted.outcome === 'added' ? undoToken : null }
}
