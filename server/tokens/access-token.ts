/**
 * Access tokens and API keys: HS256 JSON Web Tokens (RFC 7519) as the client's ecosystem has them
 * (wire-contract §1.4). The algorithm is fixed; nothing in a token's header chooses a key or an
 * algorithm. Refused on purpose: every other algorithm, `crit`, tokens without `exp`.
 */
import type { AccessTokenClaims, ApiKeyClaims } from '@finanzas/contract/claims.ts'
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { type JWTPayload, SignJWT, errors, jwtVerify } from 'jose'

/** Tokens that were verified once and need no second look at their signature. */
const verifiedTokensMax = 5000

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** What verifying a token may end in. */
export type Verdict =
  | { ok: true; claims: JWTPayload }
  | { ok: false; reason: 'malformed' | 'signature' | 'expired' | 'claims'; message: string }

/** Signs and verifies with one key. Times are taken from `now` (milliseconds since 1970). */
export class TokenKey {
  readonly #key: SigningKey
  readonly #now: () => number
  readonly #verified = new Map<string, JWTPayload>()

  private constructor(key: SigningKey, now: () => number) {
    this.#key = key
    this.#now = now
  }

  /** Makes the key of a secret of at least 32 characters. */
  static async of(secret: string, now: () => number = Date.now): Promise<TokenKey> {
    const bytes = new TextEncoder().encode(secret)
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'sign',
      'verify',
    ])
    return new TokenKey(key, now)
  }

  /** The token that says these claims. */
  sign(claims: AccessTokenClaims | ApiKeyClaims): Promise<string> {
    return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(this.#key)
  }

  /** What the token says, if this key signed it and it has not expired (30 s of leeway). */
  async verify(token: string): Promise<Verdict> {
    const known = this.#verified.get(token)
    if (known !== undefined) return this.#inTime(known)
    const verdict = await this.#verifySignature(token)
    if (verdict.ok) this.#remember(token, verdict.claims)
    return verdict
  }

  async #verifySignature(token: string): Promise<Verdict> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        clockTolerance: clockSkewSeconds,
        currentDate: new Date(this.#now()),
        requiredClaims: ['exp'],
      })
      return { ok: true, claims: payload }
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

/** Reads the claims of a signed-in user's token, or `null` when something essential is missing or odd. */
export function readAccessTokenClaims(claims: JWTPayload): AccessTokenClaims | null {
  const { sub, role, aud } = claims
  const sessionId = claims['session_id']
  if (role !== 'authenticated' || aud !== 'authenticated') return null
  if (typeof sub !== 'string' || !uuid.test(sub)) return null
  if (typeof sessionId !== 'string' || !uuid.test(sessionId)) return null
  return claims as unknown as AccessTokenClaims
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/
