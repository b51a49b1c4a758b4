/**
 * The two API keys of a project: tokens that name a database role. They are derived from the signing key with a fixed
 * payload, so that all servers with one secret derive the same bytes.
 */
import type { ApiKeyClaims } from '@finanzas/contract/claims.ts'
import type { TokenKey } from './access-token.ts'

export type ApiKeys = { readonly anonKey: string; readonly serviceRoleKey: string }

/** The API keys of a server. During a rotation, the previous keys are valid too. */
export type AcceptedApiKeys = ApiKeys & { readonly accepted: ApiKeys | null }

// 2026-01-01 and ten years later.
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
