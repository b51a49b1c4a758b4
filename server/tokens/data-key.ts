/**
 * The key behind what is kept sealed or as a code, as the database has it: under a key that
 * follows from the server's secret. Another secret seals the same key anew (docs/decisions/0036).
 */
import { randomBytes } from 'node:crypto'
import { SealingKey } from './sealing-key.ts'

/** A new key: 43 characters of base64url that stand for 32 random bytes. */
export function newDataKey(): string {
  return randomBytes(32).toString('base64url')
}

/** Seals and opens the data key with one secret. */
export class DataKeySeal {
  readonly #key: SealingKey

  private constructor(key: SealingKey) {
    this.#key = key
  }

  /** The seal that follows from the server's secret; nothing else is done with it. */
  static of(secret: string): DataKeySeal {
    return new DataKeySeal(SealingKey.of(secret, 'data key'))
  }

  /** What the database holds of it; never the same twice. */
  seal(dataKey: string): Buffer {
    return this.#key.seal(Buffer.from(dataKey))
  }

  /** The data key, or `null` when another secret sealed it. */
  open(sealed: Uint8Array): string | null {
    try {
      return this.#key.open(sealed).toString()
    } catch {
      return null
    }
  }
}
