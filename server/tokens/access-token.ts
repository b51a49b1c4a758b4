/**
 * Access tokens and API keys: HS256 JSON Web Tokens (RFC 7519), which clients expect. The algorithm is fixed; a token's
 * header selects neither a key nor an algorithm. During a rotation, tokens signed with the previous key are accepted
 * too, but new tokens are signed with the current key. The server refuses other algorithms, `crit` headers, tokens
 * without `exp`, tokens issued in the future, and access tokens from another site.
 */
import type { AccessTokenClaims, ApiKeyClaims } from '@finanzas/contract/people/claims.ts'
import { isUuid } from '@finanzas/contract/format/uuid.ts'
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { type JWTPayload, SignJWT, errors, jwtVerify } from 'jose'

/** Maximum number of tokens in the cache of verified signatures. */
const verifiedTokensMax = 5000

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

export type Verdict =
  | { ok: true; claims: JWTPayload }
  | { ok: false; reason: 'malformed' | 'signature' | 'expired' | 'claims'; message: string }

/**
 * Signs and verifies tokens with one key. During a rotation, also verifies tokens with a second key. `now` returns
 * milliseconds since 1970.
 */
export class TokenKey {
  /** The `iss` claim of access tokens, which only this site's servers accept. */
  readonly issuer: string
  readonly #key: SigningKey
  readonly #accepted: SigningKey | null
  readonly #now: () => number
  readonly #verified = new Map<string, JWTPayload>()

  private constructor(
    keys: { key: SigningKey; accepted: SigningKey | null },
    issuer: string,
    now: () => number,
  ) {
    this.#key = keys.key
    this.#accepted = keys.accepted
    this.issuer = issuer
    this.#now = now
  }

  /** Creates the key for the site at `siteUrl` from a secret of at least 32 characters. */
  static async of(
    secret: string,
    {
      siteUrl,
      previousSecret = null,
      now = Date.now,
    }: { readonly siteUrl: string; readonly previousSecret?: string | null; readonly now?: () => number },
  ): Promise<TokenKey> {
    const key = await importKey(secret, ['sign', 'verify'])
    const accepted = previousSecret === null ? null : await importKey(previousSecret, ['verify'])
    return new TokenKey({ key, accepted }, `${siteUrl}/auth/v1`, now)
  }

  sign(claims: AccessTokenClaims | ApiKeyClaims): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(this.#key)
  }

  /**
   * Returns the claims of a token that the current or the previous key signed. The current time must lie within the
   * token's period of validity, with a leeway of 30 s.
   */
  async verify(token: string): Promise<Verdict> {
    const known = this.#verified.get(token)
    if (known !== undefined) return this.#inTime(known)
    if (!isCanonical(token))
      return { ok: false, reason: 'malformed', message: 'The token is not written as tokens are' }
    const verdict = await this.#verifyByEither(token)
    if (verdict.ok) this.#remember(token, verdict.claims)
    return verdict
  }

  async #verifyByEither(token: string): Promise<Verdict> {
    const verdict = await this.#verifySignature(token, this.#key)
    const isOthers = !verdict.ok && verdict.reason === 'signature'
    return isOthers && this.#accepted !== null ? this.#verifySignature(token, this.#accepted) : verdict
  }

  async #verifySignature(token: string, key: SigningKey): Promise<Verdict> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(this.#now()),
        requiredClaims: ['exp'],
      })
      return this.#isOfThePast(payload)
        ? { ok: true, claims: payload }
        : { ok: false, reason: 'claims', message: '"iat" claim timestamp check failed' }
    } catch (error) {
      if (error instanceof errors.JWTExpired) return { ok: false, reason: 'expired', message: error.message }
      if (error instanceof errors.JWTClaimValidationFailed)
        return { ok: false, reason: 'claims', message: error.message }
      if (error instanceof errors.JWSSignatureVerificationFailed) {
        return { ok: false, reason: 'signature', message: error.message }
      }
      if (error instanceof errors.JOSEError) return { ok: false, reason: 'malformed', message: error.message }
      throw error
    }
  }

  #isOfThePast({ iat }: JWTPayload): boolean {
    return iat === undefined || iat - clockSkewSeconds <= this.#now() / 1000
  }

  #inTime(claims: JWTPayload): Verdict {
    const nowSeconds = this.#now() / 1000
    return (claims.exp ?? 0) + clockSkewSeconds > nowSeconds
      ? { ok: true, claims }
      : { ok: false, reason: 'expired', message: '"exp" claim timestamp check failed' }
  }

  #remember(token: string, claims: JWTPayload): void {
    if (this.#verified.size >= verifiedTokensMax) {
      const [oldest] = this.#verified.keys()
      if (oldest !== undefined) this.#verified.delete(oldest)
    }
    this.#verified.set(token, claims)
  }
}

function importKey(secret: string, uses: ('sign' | 'verify')[]): Promise<SigningKey> {
  const bytes = new TextEncoder().encode(secret)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, uses)
}

/**
 * Returns true if the text is the canonical encoding of the token. Decoding ignores padding and unused bits at the end;
 * several strings therefore decode to the same bytes, and only one of these strings is accepted.
 */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

/**
 * Reads the claims of a signed-in user's token. Returns `null` if a required claim is missing or malformed, or if the
 * token is from another site.
 */
export function readAccessTokenClaims(claims: JWTPayload, issuer: string): AccessTokenClaims | null {
  const { sub, role, aud, iss, iat } = claims
  const sessionId = claims['session_id']
  if (role !== 'authenticated' || aud !== 'authenticated') return null
  if (iss !== issuer || iat === undefined) return null
  if (!isUuid(sub) || !isUuid(sessionId)) return null
  return claims as unknown as AccessTokenClaims
}
