/**
 * Refresh tokens. The database does not store the tokens themselves: a token contains the session's id, the session's
 * counter, and a MAC that is computed with the server's key (compare GoTrue's second format). A thief with a copy of
 * the database cannot forge a token (security.md SE-02). Only the database knows the active counter.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export type RefreshToken = {
  /** UUID in lower case. */
  readonly sessionId: string
  readonly counter: number
}

/**
 * The result of reading a token. A `malformed` text does not have the form of a token. A `forged` token was not signed
 * with a valid key.
 */
export type RefreshTokenVerdict =
  | { ok: true; token: RefreshToken }
  | { ok: false; reason: 'malformed' | 'forged' }

// Layout in bytes: version (1) · session id (16) · counter, big-endian (8) · MAC (16)
const version = 1
const contentBytes = 1 + 16 + 8
const codeBytes = 16

/** Writes and reads tokens with one key. During a rotation, also reads tokens with a second key. */
export class RefreshTokenKey {
  readonly #key: Buffer
  readonly #accepted: Buffer | null

  private constructor(key: Buffer, accepted: Buffer | null) {
    this.#key = key
    this.#accepted = accepted
  }

  /**
   * Derives the keys from the server's secret and from a previous secret whose tokens are still valid. Access tokens
   * use other keys.
   */
  static of(secret: string, previousSecret: string | null = null): RefreshTokenKey {
    const keyOf = (of: string) => Buffer.from(hkdfSync('sha256', of, '', 'refresh tokens', 32))
    return new RefreshTokenKey(keyOf(secret), previousSecret === null ? null : keyOf(previousSecret))
  }

  /** Returns the token as 55 characters of base64url. */
  write({ sessionId, counter }: RefreshToken): string {
    const content = Buffer.alloc(contentBytes)
    content.writeUInt8(version, 0)
    content.write(sessionId.replaceAll('-', ''), 1, 'hex')
    content.writeBigUInt64BE(BigInt(counter), 17)
    return Buffer.concat([content, codeOf(content, this.#key)]).toString('base64url')
  }

  read(text: string): RefreshTokenVerdict {
    const bytes = Buffer.from(text, 'base64url')
    // Decoding ignores unknown characters; only the canonical encoding of these bytes counts as a token.
    const isToken = bytes.length === contentBytes + codeBytes && bytes.toString('base64url') === text
    if (!isToken || bytes.readUInt8(0) !== version) return { ok: false, reason: 'malformed' }
    const content = bytes.subarray(0, contentBytes)
    const isBy = (key: Buffer) => timingSafeEqual(codeOf(content, key), bytes.subarray(contentBytes))
    if (!isBy(this.#key) && (this.#accepted === null || !isBy(this.#accepted)))
      return { ok: false, reason: 'forged' }
    const hex = content.toString('hex', 1, 17)
    const sessionId = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    return { ok: true, token: { sessionId, counter: Number(content.readBigUInt64BE(17)) } }
  }
}

function codeOf(content: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(content).digest().subarray(0, codeBytes)
}
