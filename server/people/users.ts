/** The user rows of the database (GoTrue, `models/user.go`), and functions that create users. */
import type { AppMetadata, Role, UserMetadata } from '@finanzas/contract/people/claims.ts'
import { SqlError, type SqlStatement, sql } from '#database/database.ts'

/** One row of `auth.users` without the password hash. Times are ISO 8601 with an offset. */
export type User = {
  readonly id: string
  readonly aud: string
  readonly role: string
  readonly email: string
  readonly email_confirmed_at: string | null
  readonly invited_at: string | null
  readonly confirmation_sent_at: string | null
  readonly recovery_sent_at: string | null
  /** The new address that the user or the bank has requested. */
  readonly email_change: string | null
  readonly email_change_sent_at: string | null
  readonly reauthentication_sent_at: string | null
  readonly last_sign_in_at: string | null
  readonly raw_app_meta_data: AppMetadata
  readonly raw_user_meta_data: UserMetadata
  readonly created_at: string
  readonly updated_at: string
  readonly banned_until: string | null
  readonly deleted_at: string | null
  readonly is_anonymous: boolean
  readonly identities: readonly Identity[]
  readonly factors: readonly Factor[]
}

/** `email` is the only provider. */
export type Identity = {
  readonly id: string
  readonly user_id: string
  readonly provider: string
  readonly provider_id: string
  readonly identity_data: Record<string, unknown>
  readonly last_sign_in_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** A second factor: an authenticator app, a passkey, or the user's set of recovery codes. */
export type Factor = {
  readonly id: string
  readonly friendly_name: string | null
  readonly factor_type: 'totp' | 'webauthn' | 'recovery_code'
  readonly status: 'unverified' | 'verified'
  readonly created_at: string
  readonly updated_at: string
  readonly last_challenged_at: string | null
  /** The model of a passkey's authenticator. */
  readonly web_authn_aaguid: string | null
}

/** SQL expression for a `User`, for a SELECT in which `u` is `auth.users`. */
export const userAsJson = userWithFactors('true')

/**
 * SQL expression for a `User`, for a SELECT in which `u` is `auth.users` and `s` is `auth.sessions`. This expression
 * omits unconfirmed factors of other sessions.
 */
export const signedInUserAsJson = userWithFactors('auth.is_visible_in(f, s.id)')

function userWithFactors(condition: string): string {
  return `
    (to_jsonb(u) - 'encrypted_password') || jsonb_build_object(
      'email_change', coalesce(
        u.email_change, (select c.email from auth.address_changes c where c.user_id = u.id)),
      'identities', coalesce(
        (select jsonb_agg(to_jsonb(i) order by i.created_at) from auth.identities i where i.user_id = u.id), '[]'),
      'factors', coalesce(
        (select jsonb_agg(to_jsonb(f) - '{user_id,secret,web_authn_credential,last_step,failed_tries,locked_until,begun_in,undo_hash,undo_expires_at}'::text[]
          order by f.created_at)
        from auth.mfa_factors f where f.user_id = u.id and ${condition}), '[]'))`
}

export type NewUser = {
  readonly id: string
  /** The address that `readEmail` returned. */
  readonly email: string
  readonly passwordHash: string
  readonly fullName: string
  readonly role: Role
  /** The administrator's order to create the user. If the order was not entered, no user is created. */
  readonly orderId?: string
}

/**
 * Returns statements that create a user whose address needs no confirmation. The batch that runs these statements needs
 * the rights of `supabase_auth_admin`. If the address is taken, the batch fails with the error that `isEmailTaken`
 * recognizes.
 */
export function createUserStatements(user: NewUser): SqlStatement[] {
  const userMetadata: UserMetadata = { full_name: user.fullName, email_verified: true }
  const { orderId = null } = user
  return [
    sql`
      insert into auth.users
        (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
      select
        ${user.id}::uuid, ${user.email}::text, ${user.passwordHash}::text, now(),
        ${JSON.stringify(appMetadata(user.role))}::jsonb, ${JSON.stringify(userMetadata)}::jsonb
      where ${orderId}::uuid is null or private.is_ordered(${orderId}::uuid)`,
    createIdentity(user.id),
  ]
}

/**
 * Returns the `user_metadata` for a sign-up by mail: the data from the request, and the identity's data, as in GoTrue
 * (`RemoveUnconfirmedIdentities`). The data from the request cannot replace the identity's data.
 */
export function signUpMetadata(
  data: UserMetadata,
  { id, email, isConfirmed }: { id: string; email: string; isConfirmed: boolean },
): UserMetadata {
  return { ...data, sub: id, email, email_verified: isConfirmed, phone_verified: false }
}

export function isEmailTaken(error: unknown): boolean {
  return error instanceof SqlError && error.sqlState === '23505' && error.constraint === 'users_email_key'
}

/** Creates the identity of a new user. Does nothing for an unknown user. */
export function createIdentity(userId: string): SqlStatement {
  return sql`
    insert into auth.identities (user_id, provider_id, identity_data, last_sign_in_at)
    select
      u.id, u.id::text,
      u.raw_user_meta_data || jsonb_build_object(
        'sub', u.id, 'email', u.email,
        'email_verified', u.email_confirmed_at is not null, 'phone_verified', false),
      now()
    from auth.users u
    where u.id = ${userId}`
}

export function appMetadata(role: Role): AppMetadata {
  const byEmail: AppMetadata = { provider: 'email', providers: ['email'] }
  return role === 'admin' ? { ...byEmail, role } : byEmail
}
