import type { Factor, Session, User } from '@supabase/supabase-js'

export function verifiedFactors(user: User): Factor[] {
  return (user.factors ?? []).filter(
    ({ factor_type, status }) => factor_type === 'totp' && status === 'verified',
  )
}

/** The second factor that the session still lacks; the database refuses such a session. */
export function missingFactor(session: Session): Factor | null {
  const [factor] = verifiedFactors(session.user)
  return factor === undefined || claimsOf(session.access_token)['aal'] === 'aal2' ? null : factor
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
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return JSON.parse(atob(payload)) as Record<string, unknown>
  } catch {
    return {}
  }
}
