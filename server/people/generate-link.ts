/**
 * Creates links for an operator's program, which mails the links itself (GoTrue, `api/mail.go`, `adminGenerateLink`).
 */
import type { UserMetadata } from '@finanzas/contract/people/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Keys } from '#tokens/keys.ts'
import { actAsService } from './user-management.ts'
import { requestEmailChange } from './email-change.ts'
import {
  type LinkType,
  storeLink,
  newOneTimeCode,
  newOneTimeToken,
  oneTimeCodeMac,
} from './one-time-tokens.ts'
import { openAccount } from './sign-up.ts'
import { type User, userAsJson } from './users.ts'

const scope = asService('supabase_auth_admin', 'write')

export type GeneratedLink = { readonly user: User; readonly token: string; readonly code: string }

export type LinkOutcome =
  | { readonly kind: 'made'; readonly link: GeneratedLink }
  | { readonly kind: 'email taken' | 'unknown user' }

/** Creates a link for the address. Every type except `recovery` also creates the account if it does not exist. */
export async function generateLink(
  database: Database,
  keys: Keys,
  request: {
    readonly type: LinkType
    readonly email: string
    readonly passwordHash: string | null
    readonly userMetadata: UserMetadata
  },
): Promise<LinkOutcome> {
  const { type, email } = request
  if (type !== 'recovery') await openAccount(database, { ...request, isOwn: false })
  const token = newOneTimeToken()
  const code = newOneTimeCode()
  const codeMac = oneTimeCodeMac(keys, code, email)
  const [, kept] = await database.transaction(scope, [
    actAsService,
    storeLink({ type, email, token, codeMac, challenge: null }),
    record(type === 'invite' ? 'invite_user' : 'generate_link', email),
  ])
  const user = await userOf(database, email)
  if (user === null) return { kind: 'unknown user' }
  return kept.length === 1 ? { kind: 'made', link: { user, token, code } } : { kind: 'email taken' }
}

/** Creates one of the two links for an address change. A program makes one call for each of the two links. */
export async function generateEmailChangeLink(
  database: Database,
  keys: Keys,
  request: { readonly side: 'current' | 'next'; readonly email: string; readonly newEmail: string },
): Promise<LinkOutcome> {
  const { side, email, newEmail } = request
  const user = await userOf(database, email)
  if (user === null) return { kind: 'unknown user' }
  if ((await userOf(database, newEmail)) !== null) return { kind: 'email taken' }
  const token = newOneTimeToken()
  const code = newOneTimeCode()
  const made = { token, codeMac: oneTimeCodeMac(keys, code, side === 'current' ? email : newEmail) }
  const change = {
    email: newEmail,
    current: side === 'current' ? made : null,
    next: side === 'next' ? made : null,
    challenge: null,
  }
  await database.transaction(scope, [
    actAsService,
    requestEmailChange(user.id, change),
    record('generate_link', email),
  ])
  const changed = await userOf(database, email)
  return changed === null ? { kind: 'unknown user' } : { kind: 'made', link: { user: changed, token, code } }
}

/**
 * Returns the statement that writes the audit entry. The entry is written even if the account must not receive this
 * link.
 */
function record(action: string, email: string): SqlStatement {
  return sql`
    select private.record_audit(${action}, u.id, null, null) from auth.users u where u.email = ${email}`
}

async function userOf(database: Database, email: string): Promise<User | null> {
  const select: SqlStatement<{ user: User }> = {
    text: `select ${userAsJson} as "user" from auth.users u where u.email = $1`,
    values: [email],
  }
  const [[found]] = await database.transaction(asService('supabase_auth_admin', 'read'), [select])
  return found?.user ?? null
}
