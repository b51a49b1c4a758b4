import { unverifiedClaims } from '@finanzas/contract/claims.ts'
import type { Factor, Session, User } from '@supabase/supabase-js'

/** An app or a passkey; times are ISO 8601. */
export type SecondFactor = Pick<Factor, 'id' | 'factor_type' | 'friendly_name' | 'created_at'>

/** The confirmed apps and passkeys. Recovery codes are not listed, because they only replace one of these. */
export function verifiedFactors(user: User): SecondFactor[] {
  return (user.factors ?? []).filter(
    ({ factor_type, status }) =>
      (factor_type === 'totp' || factor_type === 'webauthn') && status === 'verified',
  )
}

/** The second factors of which the session still lacks one; the database refuses such a session. */
export function missingFactors(session: Session): SecondFactor[] {
  return claimsOf(session.access_token)['aal'] === 'aal2' ? [] : verifiedFactors(session.user)
}

/** Whether this browser can make and show passkeys at this address: none are made for an IP address. */
export function canUsePasskeys(): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(window.location.hostname)
}

/** Whether the session was opened by a link behind which a password is chosen. */
export function isOpenedForPassword(session: Session): boolean {
  const methods: unknown = claimsOf(session.access_token)['amr']
  if (!Array.isArray(methods)) return false
  return methods.some(
    (entry: { method?: unknown }) => entry.method === 'recovery' || entry.method === 'invite',
  )
}

/** The token's claims, unverified; for display only. */
function claimsOf(accessToken: string): Record<string, unknown> {
  try {
    return unverifiedClaims(accessToken)
  } catch {
    return {}
  }
}
