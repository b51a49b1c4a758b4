/**
 * Keys for the sealed values and MACs in the database, each derived from the data key for one purpose (HKDF, RFC
 * 5869). The server's secret encrypts the data key (docs/decisions/0021, 0036).
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type Keys = {
  /**
   * Key for MACs of short codes, because a plain hash of a six-digit code could be broken by trying all codes
   * (security.md AN-08).
   */
  readonly codes: MacKey
  /** Key for fingerprints of request bodies, which may contain a password, and of e-mail addresses in the audit log. */
  readonly fingerprints: MacKey
  /** Key from which the tokens of links are derived, for mails that the database requests. */
  readonly links: MacKey
  /** Key for the secrets of authenticator apps. Each sealed secret can be opened only for the id of its factor. */
  readonly factors: SealingKey
  /**
   * Key for mails that wait to be sent. These mails are sealed because they contain sign-in links (security.md SE-02).
   */
  readonly mails: SealingKey
  /** Key for the private keys that sign statements. Each sealed private key can be opened only for its own id. */
  readonly statements: SealingKey
}

export function deriveKeys(dataKey: string): Keys {
  return {
    codes: new MacKey(dataKey, 'one-time codes'),
    fingerprints: new MacKey(dataKey, 'request fingerprints'),
    links: new MacKey(dataKey, 'links in notices'),
    factors: new SealingKey(dataKey, 'second factors'),
    mails: new SealingKey(dataKey, 'queued mails'),
    statements: new SealingKey(dataKey, 'statement keys'),
  }
}

/** HMAC-SHA-256 with a derived key. */
export class MacKey {
  readonly #key: Buffer

  constructor(secret: string, purpose: string) {
    this.#key = derive(secret, purpose)
  }

  /** Returns the MAC of the bytes, or of the fields in their order, as 64 hexadecimal digits. */
  mac(content: Uint8Array | readonly string[]): string {
    const bytes = content instanceof Uint8Array ? content : JSON.stringify(content)
    return createHmac('sha256', this.#key).update(bytes).digest('hex')
  }
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with a derived key. A sealed value consists of the nonce (12 bytes), the tag (16 bytes)
 * and the ciphertext.
 */
export class SealingKey {
  readonly #key: Buffer

  constructor(secret: string, purpose: string) {
    this.#key = derive(secret, purpose)
  }

  /**
   * Seals the bytes; the result differs each time. `owner` is authenticated: the result can be opened only with the
   * same `owner`.
   */
  seal(bytes: Uint8Array, owner = ''): Buffer {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv(algorithm, this.#key, nonce).setAAD(Buffer.from(owner))
    const text = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), text])
  }

  /** Opens the bytes. Throws if the bytes were sealed with another key or for another owner. */
  open(sealed: Uint8Array, owner = ''): Buffer {
    const bytes = Buffer.from(sealed)
    const nonce = bytes.subarray(0, nonceBytes)
    const decipher = createDecipheriv(algorithm, this.#key, nonce, { authTagLength: tagBytes })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()])
  }
}

/** Returns 32 random bytes in base64url. */
export function newDataKey(): string {
  return randomBytes(32).toString('base64url')
}

export function sealDataKey(secret: string, dataKey: string): Buffer {
  return new SealingKey(secret, 'data key').seal(Buffer.from(dataKey))
}

/** Returns the data key, or `null` if another secret sealed it. */
export function openDataKey(secret: string, sealed: Uint8Array): string | null {
  try {
    return new SealingKey(secret, 'data key').open(sealed).toString()
  } catch {
    return null
  }
}

function derive(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
}
