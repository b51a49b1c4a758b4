/**
 * Sign-in with a password (GoTrue, `api/token.go`). The server does the same work for every address; only the right
 * password reveals that an account is unconfirmed or banned (security.md AN-05, 5.10).
 */
import { randomUUID } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Passwords } from '#people/password/passwords.ts'
import { type Device, type SignedIn, selectSignedIn } from './sessions.ts'

export type Credentials = {
  /** The address that `readEmail` returned; `null` if the address is malformed. */
  readonly email: string | null
  readonly password: string
  readonly device: Device
}

export type SignInOutcome =
  | { kind: 'signed in'; signedIn: SignedIn }
  /** `userId` is used only for the log, and is `null` if the account is unknown. */
  | { kind: 'wrong credentials' | 'not confirmed' | 'banned'; userId: string | null }

/** Signs in with a password. Throws `PoolFull`. */
export async function signIn(
  database: Database,
  passwords: Passwords,
  request: Credentials,
): Promise<SignInOutcome> {
  const [[account]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    selectAccount(request.email),
  ])
  const stored = account?.encrypted_password ?? null
  const { matches, renewedHash } = await passwords.compare(request.password, stored)
  const userId = account?.id ?? null
  if (account === undefined || stored === null || !matches) return { kind: 'wrong credentials', userId }
  if (account.is_banned) return { kind: 'banned', userId }
  if (!account.is_confirmed) return { kind: 'not confirmed', userId }

  const sessionId = randomUUID()
  const [, , [signedIn]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`select auth.end_due_factors(${account.id})`,
    // Opens the session only if the compared password is still current and the user is not banned. The account may have
    // changed during the comparison.
    sql`
      with person as (
        update auth.users u
        set last_sign_in_at = now(), updated_at = now(), encrypted_password = ${renewedHash ?? stored}
        where u.id = ${account.id} and u.encrypted_password = ${stored}
          and (u.banned_until is null or u.banned_until <= now()) and u.deleted_at is null
        returning u.id
      )
      select auth.open_session(${sessionId}, p.id, 'password', ${JSON.stringify(request.device)})
      from person p`,
    selectSignedIn(sessionId),
  ])
  return signedIn === undefined ? { kind: 'wrong credentials', userId } : { kind: 'signed in', signedIn }
}

type Account = {
  id: string
  encrypted_password: string | null
  is_confirmed: boolean
  is_banned: boolean
}

function selectAccount(email: string | null): SqlStatement<Account> {
  return sql`
    select u.id, u.encrypted_password,
      u.email_confirmed_at is not null as is_confirmed,
      coalesce(u.banned_until > now(), false) or u.deleted_at is not null as is_banned
    from auth.users u
    where u.email = ${email}`
}
