/**
 * Verifies a passkey's response (GoTrue, `api/mfa.go`): the first response confirms the passkey, and each later
 * response raises the session to aal2.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type Database, SqlError, sql } from '#database/database.ts'
import { asSignedInByOneFactor } from '#people/session/sessions.ts'
import { type Accepted, type FactorOutcome, raiseSession } from './factor-verification.ts'
import {
  type Passkey,
  type RelyingParty,
  readNewPasskey,
  readShownPasskey,
  selectPasskeys,
} from './passkey.ts'

type PasskeyAnswer = {
  readonly claims: AccessTokenClaims
  readonly factorId: string
  readonly challengeId: string
  /** The operation that the client names, which must match the challenge's type. */
  readonly type: string
  /** The result of the browser's `toJSON()`. */
  readonly response: unknown
}

/**
 * Raises the caller's session to aal2. Any response uses up the challenge. Wrong responses do not delay the next
 * attempt: a passkey cannot be guessed, and with a delay, a thief who knows the password could lock the owner out.
 * Throws `SqlError` FZ401 and 42501.
 */
export async function verifyPasskey(
  database: Database,
  site: RelyingParty,
  answer: PasskeyAnswer,
): Promise<FactorOutcome> {
  const asked = await takeChallenge(database, answer)
  if (asked.question === null) return { kind: asked.refusal }
  const read = await readAnswer(site, answer, asked.question).catch((cause: unknown) => ({ cause }))
  if ('cause' in read) return { kind: 'wrong code', cause: read.cause }
  try {
    return await raiseSession(database, { claims: answer.claims, ...read })
  } catch (error) {
    const isOfAnAccount = error instanceof SqlError && error.constraint === 'mfa_factors_credential_key'
    if (!isOfAnAccount) throw error
    return { kind: 'wrong code', cause: error }
  }
}

type Question = {
  readonly challenge: string
  readonly type: 'create' | 'request'
  readonly passkeys: readonly Passkey[]
}

/** Returns the statement that raises the session to aal2. Throws if the response does not match the challenge. */
async function readAnswer(
  site: RelyingParty,
  { claims, factorId, type, response }: PasskeyAnswer,
  { challenge, passkeys, type: askedType }: Question,
) {
  // Without this check, a thief who knows the password could create a passkey and respond with it to a challenge for an
  // existing passkey.
  if (type !== askedType) throw new Error(`The challenge is of the type ${askedType}.`)
  if (type === 'create') {
    const { credential, aaguid } = await readNewPasskey(site, { challenge, response })
    return {
      accept: (undoHash: string) => sql<Accepted>`
        select auth.accept_new_passkey(
          ${claims.sub}, ${claims.session_id}, ${factorId}, ${JSON.stringify(credential)}, ${aaguid},
          ${undoHash}) as outcome`,
    }
  }
  const shown = await readShownPasskey(site, { challenge, response, passkeys })
  return {
    accept: () => sql<Accepted>`
      select auth.accept_passkey(
        ${claims.sub}, ${claims.session_id}, ${shown.factorId}, ${shown.signCount}) as outcome`,
  }
}

/**
 * Uses up the challenge. `question` is `null` if the challenge was already used up, has expired or does not belong to
 * this session.
 */
async function takeChallenge(
  database: Database,
  { claims, factorId, challengeId }: PasskeyAnswer,
): Promise<{
  readonly refusal: 'unknown factor' | 'unknown challenge' | 'expired challenge'
  readonly question: Question | null
}> {
  const [, [known], [taken], passkeys] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    // Runs before the challenge is used up, so that a refused user can enter the password and send the same response
    // again.
    sql`select auth.require_right_to_add(${claims.sub}, ${claims.session_id}, ${factorId})`,
    sql<{ is_asked: boolean }>`
      select exists (
        select from auth.mfa_challenges c where c.id = ${challengeId} and c.factor_id = f.id
      ) as is_asked
      from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type = 'webauthn'
        and auth.is_visible_in(f, ${claims.session_id})`,
    sql<Pick<Question, 'challenge' | 'type'>>`
      delete from auth.mfa_challenges c
      using auth.mfa_factors f
      where c.id = ${challengeId} and c.factor_id = ${factorId} and c.session_id = ${claims.session_id}
        and c.expires_at > now() and f.id = c.factor_id and f.user_id = ${claims.sub} and f.factor_type = 'webauthn'
        and auth.is_visible_in(f, ${claims.session_id})
      returning c.web_authn_session_data ->> 'challenge' as challenge, c.web_authn_session_data ->> 'type' as type`,
    selectPasskeys(claims.sub),
  ])
  return {
    refusal:
      known === undefined ? 'unknown factor' : known.is_asked ? 'expired challenge' : 'unknown challenge',
    question: taken === undefined ? null : { ...taken, passkeys },
  }
}
