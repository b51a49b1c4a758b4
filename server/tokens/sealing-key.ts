/**
 * Sealing at rest, for secrets that must be read again: AES-256-GCM (NIST SP 800-38D) with a key that follows from
 * another secret, one for each purpose. Sealed is: nonce (12 bytes), tag (16), ciphertext.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Seals and opens with one key. */
export class SealingKey {
  readonly #key: Buffer

  private constructor(key: Buffer) {
    this.#key = key
  }

  /** The key that follows from the secret for this purpose; nothing else is done with it. */
  static of(secret: string, purpose: string): SealingKey {
    return new SealingKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32)))
  }

  /** The bytes, sealed; never the same twice. They open for whom they belong to alone, where that is said. */
  seal(bytes: Uint8Array, belongsTo = ''): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(belongsTo))
    const text = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text])
  }

  /** The bytes again. Throws when another key sealed them, or for somebody else. */
  open(sealed: Uint8Array, belongsTo = ''): Buffer {
    const bytes = Buffer.from(sealed)
    const nonce = bytes.subarray(0, nonceBytes)
    const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(belongsTo)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
  }
}
