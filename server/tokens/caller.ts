/** The caller of a request: anonymous, a signed-in user, or the service key. */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { type TokenKey, type Verdict, readAccessTokenClaims } from './access-token.ts'

/** A caller. The token's signature and times have been checked; the database checks that the session is alive. */
export type Caller =
  | { readonly role: 'anon' | 'service_role' }
  | { readonly role: 'authenticated'; readonly claims: AccessTokenClaims }

export type CallerVerdict = { ok: true; caller: Caller } | Extract<Verdict, { ok: false }>

/**
 * Reads the bearer token. Without a bearer token, the caller has the API key's role. The service key is accepted as the
 * bearer token only if it is also the API key. The server refuses the service key from a browser.
 */
export async function readCaller(
  key: TokenKey,
  bearer: string | null,
  apiKeyRole: 'anon' | 'service_role',
): Promise<CallerVerdict> {
  if (bearer === null) return { ok: true, caller: { role: apiKeyRole } }
  const verdict = await key.verify(bearer)
  if (!verdict.ok) return verdict
  const { role, sub } = verdict.claims
  if (role === 'anon' && sub === undefined) return { ok: true, caller: { role } }
  if (role === 'service_role' && sub === undefined && apiKeyRole === 'service_role')
    return { ok: true, caller: { role } }
  const claims = readAccessTokenClaims(verdict.claims, key.issuer)
  return claims === null
    ? { ok: false, reason: 'claims', message: 'The token does not name a signed-in user' }
    : { ok: true, caller: { role: 'authenticated', claims } }
}
