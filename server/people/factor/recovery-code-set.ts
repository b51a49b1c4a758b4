/**
 * Ten codes that replace a lost app or passkey (`mfa.recoveryCodes` of the newest client). The codes are shown only
 * once; the database stores only their HMACs.
 */
import { randomInt, randomUUID } from 'node:crypto'
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type Database, sql } from '#database/database.ts'
import type { Keys } from '#tokens/keys.ts'
import { requireProof } from './enrolment.ts'
import { newOneTimeToken, oneTimeTokenHash } from '#people/one-time-tokens.ts'
import { asSignedIn, asSignedInByOneFactor } from '#people/session/sessions.ts'

const codesCount = 10
/**
 * Each code consists of 16 characters from this alphabet of 31, which gives 79 bits of entropy. The alphabet omits 0,
 * o, 1, i and l, because they look alike on paper.
 */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 16

export type RecoveryCodes = {
  readonly id: string
  readonly friendlyName: string | null
  readonly codes: readonly string[]
  /** Token for the link that removes the codes. */
  readonly undoToken: string
  readonly email: string
}

export async function recoveryCodesStatus(
  database: Database,
  claims: AccessTokenClaims,
): Promise<{ readonly id: string; readonly total: number; readonly remaining: number } | null> {
  const [[status]] = await database.transaction(asSignedInByOneFactor(claims, 'read'), [
    sql<{ id: string; total: number; remaining: number }>`
      select f.id, count(r.*) as total, count(r.*) filter (where r.used_at is null) as remaining
      from auth.mfa_factors f
      left join auth.mfa_recovery_codes r on r.factor_id = f.id
      where f.user_id = ${claims.sub} and f.factor_type = 'recovery_code'
      group by f.id`,
  ])
  return status ?? null
}

/**
 * Creates the user's first set of codes, or replaces the old set. Returns `null` if the user has no factor that the
 * codes could replace. Also returns `null` if `mustExist` is true but the user has no set. Throws `SqlError` 23505 if
 * `mustExist` is false but the user already has a set.
 */
export async function makeRecoveryCodes(
  database: Database,
  keys: Keys,
  request: {
    readonly claims: AccessTokenClaims
    readonly friendlyName: string | null
    readonly mustExist: boolean
  },
): Promise<RecoveryCodes | null> {
  const { claims, friendlyName, mustExist } = request
  const codes = Array.from({ length: codesCount }, newCode)
  const macs = codes.map((code) => recoveryCodeMac(keys, claims.sub, code))
  const undoToken = newOneTimeToken()
  const [, [kept]] = await database.transaction(asSignedIn(claims, 'write'), [
    requireProof(claims),
    sql<{ id: string; friendly_name: string | null; email: string }>`
      select r.id, r.friendly_name, u.email
      from auth.renew_recovery_codes(
        ${claims.sub}, ${randomUUID()}, ${friendlyName}, string_to_array(${macs.join(' ')}, ' '), ${mustExist},
        ${oneTimeTokenHash(undoToken)}
      ) as r
      join auth.users u on u.id = ${claims.sub}`,
  ])
  if (kept === undefined) return null
  return { id: kept.id, friendlyName: kept.friendly_name, codes, undoToken, email: kept.email }
}

/** Removes the set and returns its id, or `null` if the user has no set. */
export async function removeRecoveryCodes(
  database: Database,
  claims: AccessTokenClaims,
): Promise<string | null> {
  const [, [removed]] = await database.transaction(asSignedIn(claims, 'write'), [
    requireProof(claims),
    sql<{ id: string }>`
      delete from auth.mfa_factors f
      where f.user_id = ${claims.sub} and f.factor_type = 'recovery_code'
      returning f.id`,
  ])
  return removed?.id ?? null
}

/** Returns the MAC that the database stores for a code. Ignores case, spaces and hyphens. */
export function recoveryCodeMac({ codes }: Keys, userId: string, typed: string): string {
  return codes.mac(['recovery', userId, typed.toLowerCase().replaceAll(/[\s-]/g, '')])
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}
