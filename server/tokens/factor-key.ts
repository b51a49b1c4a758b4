/**
 * Secrets of authenticator apps at rest: AES-256-GCM (NIST SP 800-38D) with a key outside of the database.
 * Unlike a password such a secret must be read again, so it cannot be a hash (docs/decisions/0021, 0036).
 */
import { SealingKey } from './sealing-key.ts'

/** Seals and opens secrets with one key. */
export class FactorKey {
  readonly #key: SealingKey

  private constructor(key: SealingKey) {
    this.#key = key
  }

  /** The key that follows from the data key. */
  static of(dataKey: string): FactorKey {
    return new FactorKey(SealingKey.of(dataKey, 'second factors'))
  }

  /** What the database holds; it opens for this factor alone. */
  seal(secret: Uint8Array, factorId: string): Buffer {
    return this.#key.seal(secret, factorId)
  }

  /** The secret again. Throws when another key sealed it, or it belongs to another factor. */
  open(sealed: Uint8Array, factorId: string): Buffer {
    return this.#key.open(sealed, factorId)
  }
}
