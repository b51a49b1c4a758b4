/**
 * Fingerprints of what may hold a secret: two bodies can be compared without either being kept, and
 * nobody can try passwords against a copy of the database.
 */
import { createHmac, hkdfSync } from 'node:crypto'

/** Takes fingerprints with one key. */
export class FingerprintKey {
  readonly #key: Buffer

  private constructor(key: Buffer) {
    this.#key = key
  }

  /** The key that follows from the data key; nothing else is done with it. */
  static of(dataKey: string): FingerprintKey {
    return new FingerprintKey(Buffer.from(hkdfSync('sha256', dataKey, '', 'request fingerprints', 32)))
  }

  /** HMAC-SHA-256 of the bytes: 64 hexadecimal digits. */
  fingerprint(bytes: Uint8Array): string {
    return createHmac('sha256', this.#key).update(bytes).digest('hex')
  }
}
