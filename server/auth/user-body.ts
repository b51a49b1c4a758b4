/** The user as JSON (GoTrue, `models/user.go`). Clients depend on the exact set of keys. */
import type { Factor, Identity, User } from '#people/users.ts'

/** Returns the JSON of a user. Times are UTC. Omits a key if its time is null. */
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

export function factorBody(factor: Factor): Record<string, unknown> {
  return {
    id: factor.id,
    ...(factor.friendly_name === null ? {} : { friendly_name: factor.friendly_name }),
    factor_type: factor.factor_type,
    status: factor.status,
    created_at: utc(factor.created_at),
    updated_at: utc(factor.updated_at),
    ...times({ last_challenged_at: factor.last_challenged_at }),
    ...(factor.web_authn_aaguid === null ? {} : { web_authn_aaguid: factor.web_authn_aaguid }),
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
