/**
 * Refresh tokens that no table holds: a token names its session and the session's counter, and carries a
 * code that only the server's key can make (compare GoTrue's second format). A copy of the database
 * opens nothing (security.md SE-02). Which counter is the active one is the database's to say.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What a refresh token says. */
export type RefreshToken = {
  /** UUID in lower case. */
  readonly sessionId: string
  /** A whole number from 0. */
  readonly counter: number
}

/** What reading a token may end in: `malformed` was never a token, `forged` was not signed by this key. */
export type RefreshTokenVerdict =
  | { ok: true; token: RefreshToken }
  | { ok: false; reason: 'malformed' | 'forged' }

// version (1) · session (16) · counter, big-endian (8) · code (16)
const version = 1
const contentBytes = 1 + 16 + 8
const codeBytes = 16

/** Writes and reads tokens with one key. */
export class RefreshTokenKey {
  readonly #key: Buffer

  private constructor(key: Buffer) {
    this.#key = key
  }

  /** The key that follows from the server's secret; access tokens are signed with another one. */
  static of(secret: string): RefreshTokenKey {
    return new RefreshTokenKey(Buffer.from(hkdfSync('sha256', secret, '', 'refresh tokens', 32)))
  }

  /** The token's text: 55 characters of base64url. */
  write({ sessionId, counter }: RefreshToken): string {
    const content = Buffer.alloc(contentBytes)
    content.writeUInt8(version, 0)
    content.write(sessionId.replaceAll('-', ''), 1, 'hex')
    content.writeBigUInt64BE(BigInt(counter), 17)
    return Buffer.concat([content, this.#codeOf(content)]).toString('base64url')
  }

  /** What the text says, if this key wrote it. */
  read(text: string): RefreshTokenVerdict {
    const bytes = Buffer.from(text, 'base64url')
    // Decoding forgives what it does not know: only the one way to write these bytes is a token.
    const isToken = bytes.length === contentBytes + codeBytes && bytes.toString('base64url') === text
    if (!isToken || bytes.readUInt8(0) !== version) return { ok: false, reason: 'malformed' }
    const content = bytes.subarray(0, contentBytes)
    if (!timingSafeEqual(this.#codeOf(content), bytes.subarray(contentBytes)))
      return { ok: false, reason: 'forged' }
    const hex = content.toString('hex', 1, 17)
    const sessionId = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      hex.slice(12, 16),
      hex.slice(16, 20),
      hex.slice(20),
    ].join('-')
    return { ok: true, token: { sessionId, counter: Number(content.readBigUInt64BE(17)) } }
  }

  #codeOf(content: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(content).digest().subarray(0, codeBytes)
  }
}
