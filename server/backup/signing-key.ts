/**
 * The key that signs backups, outside the database: write access to the database can forge its chains of hashes, but not
 * those that were signed before (security.md LO-03).
 */
import {
  type KeyObject,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
} from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivateFile } from '#data-directory/private-files.ts'
import { DataDirectoryError, readPrivateFile } from '#data-directory/data-directory.ts'

/** The file in `$DATA_DIR`; absent with a variable. */
export const signingKeyFile = 'signing-key.pem'

/**
 * The key from the environment (`BACKUP_SIGNING_KEY`), or from `$DATA_DIR`, made there once. Throws
 * `DataDirectoryError` for a file that others can read, or that holds no such key.
 */
export function readSigningKey(dataDir: string, fromEnvironment: KeyObject | null): KeyObject {
  if (fromEnvironment !== null) return fromEnvironment
  const path = join(dataDir, signingKeyFile)
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ed25519')
    createPrivateFile(path, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  }
  return readKeyFile(path)
}

/** The key that this directory has, or `null`. Throws as `readSigningKey` does. */
export function findSigningKey(dataDir: string): KeyObject | null {
  const path = join(dataDir, signingKeyFile)
  return existsSync(path) ? readKeyFile(path) : null
}

function readKeyFile(path: string): KeyObject {
  const key = parseSigningKey(readPrivateFile(path))
  if (key === null)
    throw new DataDirectoryError(`${path} no contiene una clave Ed25519. Recupérala de donde la guardas.`)
  return key
}

/** A private Ed25519 key in PEM, or `null`. */
export function parseSigningKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

/** The public half as backups contain it: hex of the 32 bytes. */
export function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

/** Fingerprint by which people compare a key. */
export function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex').slice(0, 32)
}

/** The signature in hex. */
export function signText(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString('hex')
}

/** Whether the key's owner signed exactly this text. */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'))
}
