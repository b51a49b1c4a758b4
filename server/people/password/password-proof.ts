/**
 * Checks that the account's owner, and not a stranger at an unlocked computer, is changing the password (security.md
 * AN-10). A proof is the current password, a recently followed recovery link, or a mailed code.
 */
import type { AccessTokenClaims, AuthenticationMethod } from '@finanzas/contract/people/claims.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import {
  codeLifeSeconds,
  newOneTimeCode,
  newOneTimeToken,
  oneTimeCodeMac,
  oneTimeTokenHash,
} from '#people/one-time-tokens.ts'
import { asSignedIn, sessionEnded } from '#people/session/sessions.ts'
import type { Keys } from '#tokens/keys.ts'
import type { Passwords } from './passwords.ts'

/** The caller's proof in the form that the client sends. */
export type PasswordProof = {
  readonly currentPassword: string | null
  /** HMAC of the six-digit code that `reauthenticate` mailed. */
  readonly nonceMac: string | null
}

export type ProofVerdict =
  | {
      readonly kind: 'proven'
      /** The hash against which the proof was checked. The change takes effect only if this hash is still stored. */
      readonly stored: string | null
      /** The authentication method that the proof adds to the session; `null` if this request contains no proof. */
      readonly method: 'password' | 'otp' | null
    }
  | { readonly kind: 'same password' | 'proof needed' | 'wrong current password' | 'wrong nonce' }

/** Period in which the user may choose a new password after following a recovery link. */
const recoverySeconds = 30 * 60
/**
 * Period in which the user may choose a first password after using a mailed link or code. The period equals the
 * lifetime of a proof in `auth.require_proof`.
 */
const mailSeconds = 10 * 60

/**
 * Checks the proof, and checks that a new password differs from the current password. Choosing a first password
 * requires a mailed link or code. Otherwise, a thief who stole the session could set a password and use that password
 * as a proof. Throws `SqlError` FZ401 and `PoolFull`.
 */
export async function checkProof(
  database: Database,
  passwords: Passwords,
  request: PasswordProof & { readonly claims: AccessTokenClaims; readonly next: string | null },
): Promise<ProofVerdict> {
  const { claims, currentPassword, nonceMac, next } = request
  const [[account]] = await database.transaction(asSignedIn(claims, 'read'), [
    sql<{ encrypted_password: string | null; email: string; amr: AuthenticationMethod[] }>`
      select u.encrypted_password, u.email, s.amr
      from auth.users u
      join auth.sessions s on s.user_id = u.id
      where s.id = ${claims.session_id}`,
  ])
  if (account === undefined) throw sessionEnded()
  const stored = account.encrypted_password
  if (currentPassword !== null) {
    const { matches } = await passwords.compare(currentPassword, stored)
    if (!matches) return { kind: 'wrong current password' }
  } else if (nonceMac !== null) {
    if (!(await spendNonce(database, account.email, nonceMac))) return { kind: 'wrong nonce' }
  } else if (!hasJustRecovered(account.amr) && (stored !== null || !hasJustReadMail(account.amr))) {
    return { kind: 'proof needed' }
  }
  if (next !== null && stored !== null && (await passwords.compare(next, stored)).matches)
    return { kind: 'same password' }
  const method = currentPassword !== null ? 'password' : nonceMac !== null ? 'otp' : null
  return { kind: 'proven', stored, method }
}

/** Returns true if this is the signed-in user's password. Throws `SqlError` FZ401 and `PoolFull`. */
export async function isPresentPassword(
  database: Database,
  passwords: Passwords,
  { claims, password }: { claims: AccessTokenClaims; password: string },
): Promise<boolean> {
  const [[account]] = await database.transaction(asSignedIn(claims, 'read'), [
    sql<{ encrypted_password: string | null }>`
      select u.encrypted_password from auth.users u where u.id = ${claims.sub}`,
  ])
  const { matches } = await passwords.compare(password, account?.encrypted_password ?? null)
  return matches
}

function hasJustRecovered(amr: readonly AuthenticationMethod[]): boolean {
  return hasRecent(amr, ['recovery', 'invite'], recoverySeconds)
}

function hasJustReadMail(amr: readonly AuthenticationMethod[]): boolean {
  return hasRecent(amr, ['otp'], mailSeconds)
}

function hasRecent(
  amr: readonly AuthenticationMethod[],
  methods: readonly string[],
  seconds: number,
): boolean {
  const earliest = Date.now() / 1000 - seconds
  return amr.some(({ method, timestamp }) => methods.includes(method) && timestamp >= earliest)
}

async function spendNonce(database: Database, email: string, nonceMac: string): Promise<boolean> {
  const [rows] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`select t.user_id from auth.consume_one_time_token('{reauthentication}', null, ${email}, ${nonceMac}) as t`,
  ])
  return rows.length === 1
}

/**
 * Creates and stores the six-digit code, and returns the code with the address to which it must be mailed. Throws
 * `SqlError` FZ401.
 */
export async function makeNonce(
  database: Database,
  keys: Keys,
  claims: AccessTokenClaims,
): Promise<{ readonly email: string; readonly code: string }> {
  const code = newOneTimeCode()
  const [[account]] = await database.transaction(asSignedIn(claims, 'read'), [
    sql<{ email: string }>`select u.email from auth.users u where u.id = ${claims.sub}`,
  ])
  if (account === undefined) throw sessionEnded()
  const { email } = account
  await database.transaction(asSignedIn(claims, 'write'), [
    sql`update auth.users u set reauthentication_sent_at = now() where u.id = ${claims.sub}`,
    // The code is mailed without a link; the token is therefore never sent.
    sql`
      select auth.store_one_time_token(
        ${claims.sub}, 'reauthentication', ${email}, ${oneTimeTokenHash(newOneTimeToken())},
        ${codeLifeSeconds}::integer, ${oneTimeCodeMac(keys, code, claims.sub)}, ${codeLifeSeconds}::integer, null, null)`,
  ])
  return { email, code }
}
