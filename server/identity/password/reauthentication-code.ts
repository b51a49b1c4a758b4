/** Six digits that prove a signed-in user's presence (GoTrue, `api/reauthenticate.go`). */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import { type Database, sql } from '#database/database.ts'
import type { Keys } from '#tokens/keys.ts'
import {
  codeLifeSeconds,
  newOneTimeCode,
  newOneTimeToken,
  oneTimeCodeMac,
  oneTimeTokenHash,
} from '#identity/one-time-tokens.ts'
import { asSignedIn, sessionEnded } from '#identity/session/sessions.ts'

/** Makes and keeps the digits, and answers where they go. Throws `SqlError` FZ401. */
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
    // There is no link beside these digits: the token is never sent.
    sql`
      select auth.store_one_time_token(
        ${claims.sub}, 'reauthentication', ${email}, ${oneTimeTokenHash(newOneTimeToken())},
        ${codeLifeSeconds}::integer, ${oneTimeCodeMac(keys, code, claims.sub)}, ${codeLifeSeconds}::integer, null, null)`,
  ])
  return { email, code }
}
