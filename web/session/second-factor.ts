import type { Factor, Session, User } from '@supabase/supabase-js'

/** The user's authenticator apps that have shown a right code at least once. */
export function verifiedFactors(user: User): Factor[] {
  return (user.factors ?? []).filter(
    ({ factor_type, status }) => factor_type === 'totp' && status === 'verified',
  )
}

/** The second factor that was not shown in the session yet; the database refuses such a session. */
export function missingFactor(session: Session): Factor | null {
  const [factor] = verifiedFactors(session.user)
  return factor === undefined || assuranceLevelOf(session.access_token) === 'aal2' ? null : factor
}

/** What the token says of itself; read for the screen only, nothing is decided by it. */
function assuranceLevelOf(accessToken: string): unknown {
  try {
    const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    return (JSON.parse(atob(payload)) as Record<string, unknown>)['aal']
  } catch {
    return undefined
  }
}
