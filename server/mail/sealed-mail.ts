/**
 * A mail as the queue keeps it: encrypted (AES-256-GCM), because its link or code opens an account, and a copy of
 * the database must open nothing (security.md SE-02).
 */
import { SealingKey } from '#tokens/sealing-key.ts'
import type { Mail } from './mailer.ts'

/** Encrypts and decrypts with the key that follows from the data key; nothing else uses this key. */
export class MailSeal {
  readonly #key: SealingKey

  constructor(dataKey: string) {
    this.#key = SealingKey.of(dataKey, 'queued mails')
  }

  /** What the queue keeps of it. */
  seal(mail: Mail): Uint8Array {
    return this.#key.seal(Buffer.from(JSON.stringify(mail)))
  }

  /** The mail, or `null` when another key sealed it. */
  open(sealed: Uint8Array): Mail | null {
    try {
      return JSON.parse(this.#key.open(sealed).toString()) as Mail
    } catch {
      return null
    }
  }
}
