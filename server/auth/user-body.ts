/** The user as the wire shows it (GoTrue, `models/user.go`; wire-contract §1.3): which keys are there is part of it. */
import type { UserMetadata } from '@finanzas/contract/claims.ts'
import { type Factor, type Identity, type User, appMetadata } from '#identity/users.ts'

/** JSON of a user. Times are UTC; a time that has not come has no key. */
export function userBody(user: User): Record<string, unknown> {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    ...times({
      email_confirmed_at: user.email_confirmed_at,
      invited_at: user.invited_at,
    }),
    phone: '',
    ...times({
      confirmation_sent_at: user.confirmation_sent_at,
      confirmed_at: user.email_confirmed_at,
      recovery_sent_at: user.recovery_sent_at,
    }),
    ...(user.email_change === null ? {} : { new_email: user.email_change }),
    ...times({
      email_change_sent_at: user.email_change_sent_at,
      reauthentication_sent_at: user.reauthentication_sent_at,
      last_sign_in_at: user.last_sign_in_at,
    }),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    identities: user.identities.map((identity) => identityBody(identity, user.email)),
    created_at: utc(user.created_at),
    updated_at: utc(user.updated_at),
    ...(user.factors.length === 0 ? {} : { factors: user.factors.map(factorBody) }),
    ...times({ banned_until: user.banned_until, deleted_at: user.deleted_at }),
    is_anonymous: user.is_anonymous,
  }
}

/**
 * What signing up with a taken address answers: a user that looks new and is nowhere (GoTrue,
 * `sanitizeUser`). Same keys as a new user's; `role` and `identities` are empty as upstream has them.
 */
export function fakeUserBody(fields: {
  id: string
  email: string
  userMetadata: UserMetadata
  at: Date
}): Record<string, unknown> {
  const at = fields.at.toISOString()
  return {
    id: fields.id,
    aud: 'authenticated',
    role: '',
    email: fields.email,
    phone: '',
    confirmation_sent_at: at,
    app_metadata: appMetadata('user'),
    user_metadata: fields.userMetadata,
    identities: [],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  }
}

function identityBody(identity: Identity, email: string): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    ...times({ last_sign_in_at: identity.last_sign_in_at }),
    created_at: utc(identity.created_at),
    updated_at: utc(identity.updated_at),
    email,
  }
}

/** A second factor as the wire shows it. */
export function factorBody(factor: Factor): Record<string, unknown> {
  return {
    id: factor.id,
    ...(factor.friendly_name === null ? {} : { friendly_name: factor.friendly_name }),
    factor_type: factor.factor_type,
    status: factor.status,
    created_at: utc(factor.created_at),
    updated_at: utc(factor.updated_at),
    ...times({ last_challenged_at: factor.last_challenged_at }),
  }
}

function times(named: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, time]) => (time === null ? [] : [[name, utc(time)]])),
  )
}

function utc(time: string): string {
  return new Date(time).toISOString()
}
