import { unverifiedClaims } from '@finanzas/contract/people/claims.ts'
import type { Factor, Session, User } from '@supabase/supabase-js'

/** An authenticator app or a passkey. Times are ISO 8601. */
export type SecondFactor = Pick<Factor, 'id' | 'factor_type' | 'friendly_name' | 'created_at'>

/**
 * Returns the user's confirmed apps and passkeys. Leaves out recovery codes, because they are only a substitute for an
 * app or a passkey.
 */
export function verifiedFactors(user: User): SecondFactor[] {
  return (user.factors ?? []).filter(
    ({ factor_type, status }) =>
      (factor_type === 'totp' || factor_type === 'webauthn') && status === 'verified',
  )
}

/**
 * Returns the second factors with which the user can complete the session, or an empty list if the session is complete.
 * The database refuses all requests from an incomplete session.
 */
export function missingFactors(session: Session): SecondFactor[] {
  return claimsOf(session.access_token)['aal'] === 'aal2' ? [] : verifiedFactors(session.user)
}

/**
 * Returns whether this browser can use passkeys on this host. Browsers refuse passkeys on hosts that are IP addresses.
 */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)
}

/** Returns whether the session was opened by a link that requires the user to choose a password. */
export function isOpenedForPassword(session: Session): boolean {
  const methods: unknown = claimsOf(session.access_token)['amr']
  if (!Array.isArray(methods)) return false
  return methods.some(
    (entry: { method?: unknown }) => entry.method === 'recovery' || entry.method === 'invite',
  )
}

/** Returns the token's unverified claims, for display only. */
function claimsOf(accessToken: string): Record<string, unknown> {
  try {
    return unverifiedClaims(accessToken)
  } catch {
    return {}
  }
}
