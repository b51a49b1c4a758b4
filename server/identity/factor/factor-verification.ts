/**
 * Showing a second factor (GoTrue, `api/mfa.go`). A try is counted before the code is looked at; a code
 * works once, also within its thirty seconds; wrong ones in a row make the next wait.
 */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import type { Keys } from '#tokens/keys.ts'
import { storeUndoToken } from './factor-end.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import {
  type SignedIn,
  asSignedInByOneFactor,
  selectSignedIn,
  sessionEnded,
} from '#identity/session/sessions.ts'
import { matchingStep } from './totp.ts'

export type FactorOutcome =
  /** `undoToken`: of the link that takes the factor away again, where it did not count until then. */
  | { readonly kind: 'verified'; readonly signedIn: SignedIn; readonly undoToken: string | null }
  | { readonly kind: 'unknown factor' | 'expired challenge' }
  /** `cause` is for the log. */
  | { readonly kind: 'wrong code'; readonly cause?: unknown }
  | { readonly kind: 'locked'; readonly waitSeconds: number }

type Try = {
  readonly outcome: 'open' | 'unknown' | 'expired' | 'locked'
  readonly wait_seconds: number
  readonly secret: Uint8Array | null
  readonly is_first: boolean
}

/** Raises the caller's session to aal2 for a right code of an authenticator app. Throws `SqlError` FZ401. */
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
    undo: tried.is_first ? { token: newOneTimeToken(), factorType: 'totp', factorId } : null,
    statement: sql`
      select auth.accept_totp(
        ${claims.sub}, ${claims.session_id}, ${factorId}, ${challengeId}, ${step}) as is_accepted`,
  })
}

/** Raises the caller's session to aal2 for one of their recovery codes. Throws `SqlError` FZ401. */
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
    undo: null,
    statement: sql`
      select auth.accept_recovery_code(
        ${claims.sub}, ${claims.session_id}, ${factorId}, ${codeMac}) as is_accepted`,
  })
}

async function tryFactor(
  database: Database,
  claims: AccessTokenClaims,
  { factorId, challengeId }: { factorId: string; challengeId: string | null },
): Promise<Try> {
  const [[tried]] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql<Try>`
      select t.outcome, t.wait_seconds, t.secret, coalesce(f.status = 'unverified', false) as is_first
      from auth.try_factor(${claims.sub}, ${claims.session_id}, ${factorId}, ${challengeId}) as t
      left join auth.mfa_factors f on f.id = ${factorId}`,
  ])
  return tried ?? { outcome: 'unknown', wait_seconds: 0, secret: null, is_first: false }
}

function refusalOf({ outcome, wait_seconds: waitSeconds }: Try): FactorOutcome {
  if (outcome === 'locked') return { kind: 'locked', waitSeconds }
  return { kind: outcome === 'expired' ? 'expired challenge' : 'unknown factor' }
}

export type Accepted = { readonly is_accepted: boolean }

/** Lets the database accept what was shown. `undo` is the link to a factor that counts from now on. */
export async function raiseSession(
  database: Database,
  shown: {
    readonly claims: AccessTokenClaims
    readonly undo: {
      readonly token: string
      readonly factorType: 'totp' | 'webauthn'
      readonly factorId: string
    } | null
    readonly statement: SqlStatement<Accepted>
  },
): Promise<FactorOutcome> {
  const { claims, undo, statement } = shown
  const [[answer], [signedIn]] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    statement,
    selectSignedIn(claims.session_id),
    ...(undo === null ? [] : [storeUndoToken(undo.token, { userId: claims.sub, ...undo })]),
  ])
  if (signedIn === undefined) throw sessionEnded()
  if (answer?.is_accepted !== true) return { kind: 'wrong code' }
  return { kind: 'verified', signedIn, undoToken: undo?.token ?? null }
}
