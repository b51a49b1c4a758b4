/**
 * Access tokens and API keys: HS256 JSON Web Tokens (RFC 7519) as the client's ecosystem has them
 *. The algorithm is fixed; nothing in a token's header chooses a key or an
 * algorithm. During a rotation, tokens of the other key are read too; it signs nothing. Refused on purpose: every other
 * algorithm, `crit`, tokens without `exp`, tokens of a time to come, access tokens that another site issued.
 */
import type { AccessTokenClaims, ApiKeyClaims } from '@finanzas/contract/claims.ts'
import { isUuid } from '@finanzas/contract/uuid.ts'
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { type JWTPayload, SignJWT, errors, jwtVerify } from 'jose'

/** Tokens that were verified once and need no second look at their signature. */
const verifiedTokensMax = 5000

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

export type Verdict =
  | { ok: true; claims: JWTPayload }
  | { ok: false; reason: 'malformed' | 'signature' | 'expired' | 'claims'; message: string }

/** Signs and verifies with one key, and verifies with one more while keys change. Times are taken from `now` (milliseconds since 1970). */
export class TokenKey {
  /** The `iss` of access tokens: those of a bank's servers are for all of them, and for no other site. */
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

  /** Makes the key of a secret of at least 32 characters, for the site at an address. */
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
   * Claims of a token that this key or the accepted one signed and whose time has begun and not ended (30 s of leeway).
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

/** Decoding forgives padding and stray bits at the end: of all ways to write the same bytes only one is a token. */
function isCanonical(token: string): boolean {
  const parts = token.split('.')
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  )
}

/** Reads the claims of a signed-in user's token, or `null` when something essential is missing, odd or another site's. */
export function readAccessTokenClaims(claims: JWTPayload, issuer: string): AccessTokenClaims | null {
  const { sub, role, aud, iss, iat } = claims
  const sessionId = claims['session_id']
  if (role !== 'authenticated' || aud !== 'authenticated') return null
  if (iss !== issuer || iat === undefined) return null
  if (!isUuid(sub) || !isUuid(sessionId)) return null
  return claims as unknown as AccessTokenClaims
}
