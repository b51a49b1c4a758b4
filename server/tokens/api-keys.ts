/**
 * A project's two API keys, which are tokens that name a database role. The keys are created by signing a fixed
 * payload, so that all servers with the same secret derive the same keys.
 */
import type { ApiKeyClaims } from '@finanzas/contract/people/claims.ts'
import type { TokenKey } from './access-token.ts'

export type ApiKeys = { readonly anonKey: string; readonly serviceRoleKey: string }

/** The API keys of a server. During a rotation, the previous keys are valid too. */
export type AcceptedApiKeys = ApiKeys & { readonly accepted: ApiKeys | null }

// The keys are dated 2026-01-01 and expire ten years later.
const issuedAtSeconds = 1_767_225_600
const expiresAtSeconds = 2_082_758_400

export async function deriveApiKeys(key: TokenKey): Promise<ApiKeys> {
  const claims = (role: ApiKeyClaims['role']): ApiKeyClaims => ({
    iss: 'finanzas',
    role,
    iat: issuedAtSeconds,
    exp: expiresAtSeconds,
  })
  return { anonKey: await key.sign(claims('anon')), serviceRoleKey: await key.sign(claims('service_role')) }
}
