/**
 * Sign-up (GoTrue, `api/signup.go`): the server does the same work for a new address and for a taken address. A second
 * sign-up with an unconfirmed address is handled differently than upstream (docs/decisions/0022).
 */
import { randomUUID } from 'node:crypto'
import type { UserMetadata } from '@finanzas/contract/people/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { newOneTimeToken, storeLink } from './one-time-tokens.ts'
import type { Passwords } from '#people/password/passwords.ts'
import type { CodeChallenge } from '#people/session/pkce.ts'
import { type Device, type SignedIn, selectSignedIn } from '#people/session/sessions.ts'
import { appMetadata, createIdentity, signUpMetadata } from './users.ts'

export type SignUp = {
  /** The address that `readEmail` returned. */
  readonly email: string
  readonly password: string
  readonly userMetadata: UserMetadata
}

/**
 * The result of a sign-up: a link that must be mailed, or the information that the address has already been confirmed
 * by its owner.
 */
export type SignUpOutcome = { kind: 'to confirm'; userId: string; token: string } | { kind: 'taken' }

/**
 * Creates a user with an unconfirmed address. If an unconfirmed user already has the address, creates only a new link.
 * If this user's stored password differs from the given password, also removes the stored password. The page that the
 * mailed link opens then asks for a new password. Throws `WeakPassword` and `PoolFull`.
 */
export async function signUp(
  database: Database,
  passwords: Passwords,
  request: SignUp & { readonly challenge: CodeChallenge | null },
): Promise<SignUpOutcome> {
  const { email, password, challenge } = request
  const token = newOneTimeToken(challenge)
  const newUser = { ...request, id: randomUUID(), passwordHash: await passwords.hash(password, request) }
  const agreedHash = await unconfirmedHashOf(database, passwords, { email, password })
  const [, , [kept]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    insertUser(newUser, { isConfirmed: false, agreedHash }),
    createIdentity(newUser.id),
    storeLink({ token, type: 'signup', email, codeMac: null, challenge }),
  ])
  return kept === undefined ? { kind: 'taken' } : { kind: 'to confirm', userId: kept.user_id, token }
}

/**
 * Creates a user whose address needs no confirmation and signs the user in. Returns `null` when the address is taken.
 * Throws `WeakPassword` and `PoolFull`.
 */
export async function signUpConfirmed(
  database: Database,
  passwords: Passwords,
  request: SignUp & { readonly device: Device },
): Promise<SignedIn | null> {
  const newUser = {
    ...request,
    id: randomUUID(),
    passwordHash: await passwords.hash(request.password, request),
  }
  const sessionId = randomUUID()
  const [, , , signedIn] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    insertUser(newUser, { isConfirmed: true, agreedHash: null }),
    createIdentity(newUser.id),
    sql`
      select auth.open_session(${sessionId}, u.id, 'password', ${JSON.stringify(request.device)})
      from auth.users u
      where u.id = ${newUser.id}`,
    selectSignedIn(sessionId),
  ])
  return signedIn[0] ?? null
}

/**
 * Returns the stored hash of the unconfirmed account with this address if the password matches. Does the same work for
 * every address.
 */
async function unconfirmedHashOf(
  database: Database,
  passwords: Passwords,
  { email, password }: { email: string; password: string },
): Promise<string | null> {
  const [[account]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{ encrypted_password: string | null }>`
      select u.encrypted_password from auth.users u where u.email = ${email} and u.email_confirmed_at is null`,
  ])
  const stored = account?.encrypted_password ?? null
  return (await passwords.compare(password, stored)).matches ? stored : null
}

function insertUser(
  user: SignUp & { id: string; passwordHash: string },
  { isConfirmed, agreedHash }: { isConfirmed: boolean; agreedHash: string | null },
): SqlStatement {
  const userMetadata = signUpMetadata(user.userMetadata, { ...user, isConfirmed })
  return sql`
    insert into auth.users as u (
      id, email, encrypted_password, email_confirmed_at, last_sign_in_at,
      raw_app_meta_data, raw_user_meta_data)
    select
      ${user.id}, ${user.email}, ${user.passwordHash}, at.confirmed, at.confirmed,
      ${JSON.stringify(appMetadata('user'))}, ${JSON.stringify(userMetadata)}
    from (select case when ${isConfirmed}::boolean then now() end as confirmed) as at
    -- Writes even if nothing changes. A commit that writes waits for the disk, and the response time must not
    -- reveal whether the address is taken.
    on conflict (email) do update
    set updated_at = u.updated_at,
        encrypted_password = case
          when u.email_confirmed_at is not null or u.encrypted_password = ${agreedHash} then u.encrypted_password
        end`
}

/**
 * An account that is created without a sign-up by its owner: through a magic link, an invitation, or an operator's
 * link.
 */
type OpenedAccount = {
  readonly email: string
  /** `null` if the owner signs in through links or chooses a password after following the first link. */
  readonly passwordHash: string | null
  readonly userMetadata: UserMetadata
  /** True if the owner requested the account, for example by requesting a magic link. */
  readonly isOwn: boolean
}

/**
 * Creates an account with an unconfirmed address. If an unconfirmed account already has the address, a given password
 * replaces that account's earlier password (docs/decisions/0022). A confirmed account is not changed.
 */
export async function openAccount(
  database: Database,
  { email, passwordHash, userMetadata, isOwn }: OpenedAccount,
): Promise<void> {
  const id = randomUUID()
  const metadata = isOwn ? signUpMetadata(userMetadata, { id, email, isConfirmed: false }) : userMetadata
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`
      insert into auth.users as u (id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data)
      values (
        ${id}, ${email}, ${passwordHash},
        ${JSON.stringify(appMetadata('user'))}, ${JSON.stringify(metadata)})
      on conflict (email) do update
      set encrypted_password = excluded.encrypted_password
      where u.email_confirmed_at is null and excluded.encrypted_password is not null`,
    createIdentity(id),
  ])
}
