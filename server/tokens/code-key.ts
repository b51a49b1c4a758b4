/**
 * Short codes at rest. Six digits, and the codes on somebody's paper, can be found from a plain hash by
 * trying them all; kept as HMAC with a key outside of the database they cannot (security.md AN-08).
 */
import { createHmac, hkdfSync } from 'node:crypto'

/** Makes what the database holds of a code. */
export class CodeKey {
  readonly #key: Buffer

  private constructor(key: Buffer) {
    this.#key = key
  }

  /** The key that follows from the data key. */
  static of(dataKey: string): CodeKey {
    return new CodeKey(Buffer.from(hkdfSync('sha256', dataKey, '', 'one-time codes', 32)))
  }

  /** 64 characters of hex; `belongsTo` says what the code is for and whose, so that it is good for nothing else. */
  mac(code: string, belongsTo: readonly string[]): string {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([...belongsTo, code]))
      .digest('hex')
  }
}
