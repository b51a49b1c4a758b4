/**
 * The key that signs backups, kept outside the database: an attacker who can write to the database can forge its hash
 * chains, but cannot change a backup that is already signed (security.md LO-03).
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
import { DataDirectoryError, readPrivateFile, signingKeyFile } from '#data-directory/data-directory.ts'

/**
 * Returns the key from the environment (`BACKUP_SIGNING_KEY`) or from `$DATA_DIR`. Creates the key in `$DATA_DIR` if
 * neither contains a key. Throws `DataDirectoryError` if other users can read the file, or if it does not hold an
 * Ed25519 key.
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

/**
 * Returns the key in this directory, or `null` if the directory has no key. Throws the same errors as `readSigningKey`.
 */
export function findSigningKey(dataDir: string): KeyObject | null {
  const path = join(dataDir, signingKeyFile)
  return existsSync(path) ? readKeyFile(path) : null
}

function readKeyFile(path: string): KeyObject {
  const key = parseSigningKey(readPrivateFile(path).toString('utf8'))
  if (key === null)
    throw new DataDirectoryError(`${path} no contiene una clave Ed25519. Recupérala de donde la guardas.`)
  return key
}

/** Parses a private Ed25519 key in PEM; returns `null` for any other text. */
export function parseSigningKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyType === 'ed25519' ? key : null
  } catch {
    return null
  }
}

/** Returns the public key in the form that backups contain: 32 bytes in hex. */
export function publicKeyOf(key: KeyObject): string {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}

/** Returns the fingerprint, which people use to compare keys. */
export function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex').slice(0, 32)
}

/** Returns the signature in hex. */
export function signText(text: string, key: KeyObject): string {
  return sign(null, Buffer.from(text), key).toString('hex')
}

/** Returns true if this key signed exactly this text. */
export function isSigned(text: string, signature: string, publicKey: string): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex'))
}
