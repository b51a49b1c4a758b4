/**
 * Ten codes that stand in for a lost app or passkey (the newest client's `mfa.recoveryCodes`).
 * They are shown once; the database holds their HMAC.
 */
import { randomInt, randomUUID } from 'node:crypto'
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, sql } from '#database/database.ts'
import type { Keys } from '#tokens/keys.ts'
import { requireProof } from './enrolment.ts'
import { storeUndoToken } from './factor-end.ts'
import { newOneTimeToken } from '#identity/one-time-tokens.ts'
import { asSignedIn, asSignedInByOneFactor } from '#identity/session/sessions.ts'

const codesCount = 10
/** 16 characters of 31: 79 bits. Without 0, o, 1, i and l, which look alike on paper. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 16

export type RecoveryCodes = {
  readonly id: string
  readonly friendlyName: string | null
  readonly codes: readonly string[]
  /** Of the link that takes them away again. */
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
 * Makes the user's first set, or puts a new one in the place of the old; `null` when there is none to
 * replace, or no factor for which codes could stand in. Throws `SqlError` 23505 when a first
 * set is asked for and there is one.
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
        ${claims.sub}, ${randomUUID()}, ${friendlyName}, string_to_array(${macs.join(' ')}, ' '), ${mustExist}
      ) as r
      join auth.users u on u.id = ${claims.sub}`,
    storeUndoToken(undoToken, { userId: claims.sub, factorType: 'recovery_code', factorId: null }),
  ])
  if (kept === undefined) return null
  return { id: kept.id, friendlyName: kept.friendly_name, codes, undoToken, email: kept.email }
}

/** Takes the set away and answers its id; `null` when there is none. */
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

/** What the database holds of a code, however it was typed. */
export function recoveryCodeMac({ codes }: Keys, userId: string, typed: string): string {
  return codes.mac(['recovery', userId, typed.toLowerCase().replaceAll(/[\s-]/g, '')])
}

function newCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('')
}
