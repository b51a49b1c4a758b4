/** Claims of an access token, as GoTrue writes them. */

/** The role in the product: a customer, or an administrator of the bank. */
export type Role = 'user' | 'admin'

/** The database role that a request runs as; `service_role` bypasses row-level security. */
export type DatabaseRole = 'anon' | 'authenticated' | 'service_role'

/** Authenticator assurance level: `aal2` after a second factor. */
export type AssuranceLevel = 'aal1' | 'aal2'

export type AuthenticationMethod = {
  /** `password`, `otp`, `recovery`, `token_refresh`, … */
  method: string
  /** Unix seconds. */
  timestamp: number
}

/** `app_metadata`: written by the server only. */
export type AppMetadata = {
  provider?: string
  providers?: string[]
  role?: Role
  [key: string]: unknown
}

/** `user_metadata`: the user may write it, so no right may depend on it. */
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

/** The claims of an API key: a token that names a database role and no user. */
export type ApiKeyClaims = {
  iss: string
  role: 'anon' | 'service_role'
  iat: number
  exp: number
}

/** Declared here because this package does not include the types of any runtime. Every runtime has the function. */
declare const atob: (base64: string) => string

/** Returns the claims of a token without a check of its signature. Throws a `SyntaxError` if they cannot be read. */
export function unverifiedClaims(token: string): Record<string, unknown> {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  return JSON.parse(atob(payload)) as Record<string, unknown>
}
