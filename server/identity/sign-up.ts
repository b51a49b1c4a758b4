/**
 * Signing up (GoTrue, `api/signup.go`): the work is the same for a new and a taken address. A second sign-up with an
 * unconfirmed address differs from upstream (docs/decisions/0022).
 */
import { randomUUID } from 'node:crypto'
import type { UserMetadata } from '@finanzas/contract/claims.ts'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { newOneTimeToken, storeLink } from './one-time-tokens.ts'
import type { Passwords } from '#identity/password/passwords.ts'
import type { CodeChallenge } from '#identity/session/pkce.ts'
import { type Device, type SignedIn, selectSignedIn } from '#identity/session/sessions.ts'
import { appMetadata, createIdentity, signUpMetadata } from './users.ts'

export type SignUp = {
  /** The result of `readEmail`. */
  readonly email: string
  readonly password: string
  readonly userMetadata: UserMetadata
}

/** The result of a sign-up: a link to mail, or the fact that the owner has already confirmed the address. */
export type SignUpOutcome = { kind: 'to confirm'; userId: string; token: string } | { kind: 'taken' }

/**
 * Creates a user with an unconfirmed address. If an unconfirmed user has the address, creates only a new link. If the
 * user's stored password differs from the given one, also removes the stored password; the link then asks for a new
 * one. Throws `WeakPassword` and `TooManyHashes`.
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
 * Creates a user who needs no confirmation and signs them in; `null` when the address is taken.
 * Throws `WeakPassword` and `TooManyHashes`.
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
 * Returns the hash of an unconfirmed account with this address if the password matches; the work is the same for all
 * addresses.
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
    -- Writes even when nothing changes: a commit that writes waits for the disk, and the answer's time must not
    -- reveal whether the address is taken.
    on conflict (email) do update
    set updated_at = u.updated_at,
        encrypted_password = case
          when u.email_confirmed_at is not null or u.encrypted_password = ${agreedHash} then u.encrypted_password
        end`
}

/** An account that begins without its owner's sign-up: by a magic link, an invitation, or an operator's link. */
type OpenedAccount = {
  readonly email: string
  /** `null` if the owner signs in by links or chooses a password after the first link. */
  readonly passwordHash: string | null
  readonly userMetadata: UserMetadata
  /** Whether the owner requested the account, for example by a sign-up. */
  readonly isOwn: boolean
}

/**
 * Creates an account with an unconfirmed address. If an unconfirmed account has the address, a given password replaces
 * its earlier password (docs/decisions/0022). A confirmed account does not change.
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
