import { unverifiedClaims } from '@finanzas/contract/claims.ts'
import type { Factor, Session, User } from '@supabase/supabase-js'

/** An authenticator app or a passkey. Times are ISO 8601. */
export type SecondFactor = Pick<Factor, 'id' | 'factor_type' | 'friendly_name' | 'created_at'>

/** Returns the confirmed apps and passkeys. Recovery codes are left out, because they only replace one of these. */
export function verifiedFactors(user: User): SecondFactor[] {
  return (user.factors ?? []).filter(
    ({ factor_type, status }) =>
      (factor_type === 'totp' || factor_type === 'webauthn') && status === 'verified',
  )
}

/**
 * Returns the second factors that can complete a session. The list is empty for a complete session. The database
 * refuses the requests of an incomplete session.
 */
export function missingFactors(session: Session): SecondFactor[] {
  return claimsOf(session.access_token)['aal'] === 'aal2' ? [] : verifiedFactors(session.user)
}

/** Returns whether this browser can use passkeys at this address. Browsers refuse them for IP addresses. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)
}

/** Returns whether the session came from a link after which the user must choose a password. */
export function isOpenedForPassword(session: Session): boolean {
  const methods: unknown = claimsOf(session.access_token)['amr']
  if (!Array.isArray(methods)) return false
  return methods.some(
    (entry: { method?: unknown }) => entry.method === 'recovery' || entry.method === 'invite',
  )
}

/** Reads the token's claims without verifying them, for display only. */
function claimsOf(accessToken: string): Record<string, unknown> {
  try {
    return unverifiedClaims(accessToken)
  } catch {
    return {}
  }
}
