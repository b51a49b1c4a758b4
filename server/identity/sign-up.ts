/** Signing up (GoTrue, `api/signup.go`): one batch, and the same work whether the address is new or taken. */
import { randomUUID } from 'node:crypto'
import type { UserMetadata } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { keepOneTimeToken, newOneTimeToken } from './one-time-tokens.ts'
import type { Passwords } from './passwords.ts'
import { type Device, type SignedIn, openedBy, selectSignedIn } from './sessions.ts'
import { type User, appMetadata, createIdentity, userAsJson } from './users.ts'

export type SignUp = {
  /** As `readEmail` answers it. */
  readonly email: string
  readonly password: string
  readonly userMetadata: UserMetadata
}

/** What came of it: a link to be mailed, or an address whose owner has confirmed it before. */
export type SignUpOutcome = { kind: 'to confirm'; user: User; token: string } | { kind: 'taken' }

/**
 * Creates a user whose address is still to be confirmed. Where there is such a user already, only the
 * link is new: who asks may not be who asked first, so neither password nor data change.
 * Throws `WeakPassword` and `TooManyHashes`.
 */
export async function signUp(
  database: Database,
  passwords: Passwords,
  request: SignUp,
): Promise<SignUpOutcome> {
  const token = newOneTimeToken()
  const newUser = { ...request, id: randomUUID(), passwordHash: await passwords.hash(request.password) }
  const { email } = request
  const [, , kept, found] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    insertUser(newUser, { isConfirmed: false }),
    createIdentity(newUser.id),
    keepOneTimeToken({ token, type: 'signup', email }),
    selectUser(email),
  ])
  const user = found[0]?.user
  return user === undefined || kept.length === 0 ? { kind: 'taken' } : { kind: 'to confirm', user, token }
}

/**
 * Creates a user who needs no confirmation and signs them in; `null` when the address is taken.
 * Throws `WeakPassword` and `TooManyHashes`.
 */
export async function signUpConfirmed(
  database: Database,
  passwords: Passwords,
  request: SignUp & { readonly device: Device },
): Promise<SignedIn | null> {
  const newUser = { ...request, id: randomUUID(), passwordHash: await passwords.hash(request.password) }
  const sessionId = randomUUID()
  const { userAgent, ip } = request.device
  const [, , , signedIn] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    insertUser(newUser, { isConfirmed: true }),
    createIdentity(newUser.id),
    sql`
      insert into auth.sessions (id, user_id, amr, user_agent, ip)
      select ${sessionId}, u.id, ${openedBy('password')}, ${userAgent}, ${ip}
      from auth.users u
      where u.id = ${newUser.id}`,
    selectSignedIn(sessionId),
  ])
  return signedIn[0] ?? null
}

function insertUser(
  user: SignUp & { id: string; passwordHash: string },
  { isConfirmed }: { isConfirmed: boolean },
): SqlStatement {
  const userMetadata = isConfirmed ? { ...user.userMetadata, email_verified: true } : user.userMetadata
  return sql`
    insert into auth.users as u (
      id, email, encrypted_password, email_confirmed_at, last_sign_in_at,
      raw_app_meta_data, raw_user_meta_data)
    select
      ${user.id}, ${user.email}, ${user.passwordHash}, at.confirmed, at.confirmed,
      ${JSON.stringify(appMetadata('user'))}, ${JSON.stringify(userMetadata)}
    from (select case when ${isConfirmed}::boolean then now() end as confirmed) as at
    -- Changes nothing, but writes: a commit that waits for the disk takes longer than one that does not,
    -- and the answer's time must not tell whether the address is taken.
    on conflict (email) do update set updated_at = u.updated_at`
}

function selectUser(email: string): SqlStatement<{ user: User }> {
  return { text: `select ${userAsJson} as "user" from auth.users u where u.email = $1`, values: [email] }
}
