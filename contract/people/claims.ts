/** Claims of an access token, as GoTrue writes them. */

/** The user's role in the product: `user` is a customer, `admin` is an administrator of the bank. */
export type Role = 'user' | 'admin'

/** The database role under which a request runs. `service_role` bypasses row-level security. */
export type DatabaseRole = 'anon' | 'authenticated' | 'service_role'

/** Authenticator assurance level: `aal2` after the user has passed a second factor. */
export type AssuranceLevel = 'aal1' | 'aal2'

export type AuthenticationMethod = {
  /** `password`, `otp`, `recovery`, `token_refresh`, … */
  method: string
  /** Unix seconds. */
  timestamp: number
}

/** The claim `app_metadata`, which only the server can write. */
export type AppMetadata = {
  provider?: string
  providers?: string[]
  role?: Role
  [key: string]: unknown
}

/**
 * The claim `user_metadata`. Users can write this claim, and authorization must therefore never depend on the claim.
 */
export type UserMetadata = {
  full_name?: string
  [key: string]: unknown
}

/** The claims of a signed-in user's access token. Times are Unix seconds. */
export type AccessTokenClaims = {
  iss: string
  /** The user's id. */
  sub: string
  aud: 'authenticated'
  exp: number
  iat: number
  email: string
  phone: string
  app_metadata: AppMetadata
  user_metadata: UserMetadata
  role: 'authenticated'
  aal: AssuranceLevel
  amr: AuthenticationMethod[]
  session_id: string
  is_anonymous: boolean
}

/** The claims of an API key, which is a token for a database role without a user. */
export type ApiKeyClaims = {
  iss: string
  role: 'anon' | 'service_role'
  iat: number
  exp: number
}

/**
 * Every runtime has `atob`, but this package includes no runtime's types and therefore declares the function itself.
 */
declare const atob: (base64: string) => string

/** Returns a token's claims without checking the signature. Throws if the claims are not base64url-encoded JSON. */
export function unverifiedClaims(token: string): Record<string, unknown> {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(atob(payload)) as Record<string, unknown>
}
