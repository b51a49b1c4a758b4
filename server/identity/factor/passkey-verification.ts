/** A passkey's answer (GoTrue, `api/mfa.go`): the first makes it count, later ones raise the session. */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, SqlError, sql } from '#database/database.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import { asSignedInByOneFactor } from '#identity/session/sessions.ts'
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
  /** What the browser says that it did; the challenge has the last word. */
  readonly type: string
  /** As the browser's `toJSON()` has it. */
  readonly response: unknown
}

/**
 * Raises the caller's session to aal2. Whatever the answer is, the challenge is spent. Nothing can be guessed, so that
 * wrong answers lock nothing: the password alone cannot keep the owner out. Throws `SqlError` FZ401.
 */
export async function verifyPasskey(
  database: Database,
  site: RelyingParty,
  answer: PasskeyAnswer,
): Promise<FactorOutcome> {
  const asked = await takeChallenge(database, answer)
  if (asked.question === null) return { kind: asked.isKnown ? 'expired challenge' : 'unknown factor' }
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

/** What raises the session. Throws for an answer that does not fit the question. */
async function readAnswer(
  site: RelyingParty,
  { claims, factorId, type, response }: PasskeyAnswer,
  { challenge, passkeys, type: askedType }: Question,
) {
  // Or the password alone would do: a new passkey in the place of the one that was asked for.
  if (type !== askedType) throw new Error(`The challenge is of the type ${askedType}.`)
  if (type === 'create') {
    const { credential, aaguid } = await readNewPasskey(site, { challenge, response })
    return {
      undo: { token: newOneTimeToken(), factorType: 'webauthn', factorId } as const,
      statement: sql<Accepted>`
        select auth.accept_new_passkey(
          ${claims.sub}, ${claims.session_id}, ${factorId}, ${JSON.stringify(credential)}, ${aaguid}) as is_accepted`,
    }
  }
  const shown = await readShownPasskey(site, { challenge, response, passkeys })
  return {
    undo: null,
    statement: sql<Accepted>`
      select auth.accept_passkey(
        ${claims.sub}, ${claims.session_id}, ${shown.factorId}, ${shown.signCount}) as is_accepted`,
  }
}

/** Spends the challenge; `question` is `null` where there is none of this session. */
async function takeChallenge(
  database: Database,
  { claims, factorId, challengeId }: PasskeyAnswer,
): Promise<{ readonly isKnown: boolean; readonly question: Question | null }> {
  const [known, [taken], passkeys] = await database.transaction(asSignedInByOneFactor(claims, 'write'), [
    sql`
      select from auth.mfa_factors f
      where f.id = ${factorId} and f.user_id = ${claims.sub} and f.factor_type = 'webauthn'`,
    sql<Pick<Question, 'challenge' | 'type'>>`
      delete from auth.mfa_challenges c
      using auth.mfa_factors f
      where c.id = ${challengeId} and c.factor_id = ${factorId} and c.session_id = ${claims.session_id}
        and c.expires_at > now() and f.id = c.factor_id and f.user_id = ${claims.sub} and f.factor_type = 'webauthn'
      returning c.web_authn_session_data ->> 'challenge' as challenge, c.web_authn_session_data ->> 'type' as type`,
    selectPasskeys(claims.sub),
  ])
  return { isKnown: known.length === 1, question: taken === undefined ? null : { ...taken, passkeys } }
}
