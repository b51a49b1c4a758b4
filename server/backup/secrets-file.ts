/**
 * The secrets of a bank in a file beside a backup, on request: with them sessions and API keys outlive
 * a restore, without them every user signs in again and the keys are new.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSigningKey, signingKeyFile } from './signing-key.ts'
import { BackupRefused } from './manifest.ts'

const secretsFile = 'secrets.json'

/** Path of the secrets of a backup, if requested. */
function secretsBeside(backup: string): string {
  return `${backup}.secrets.json`
}

/**
 * Writes what `$DATA_DIR` has of them, mode 0600. The operator keeps secrets of the environment; a directory's own
 * secrets are unused beside a `JWT_SECRET`.
 */
export function writeSecrets(dataDir: string, backup: string, isJwtSecretOfEnvironment: boolean): string {
  const kept = join(dataDir, secretsFile)
  const isKept = !isJwtSecretOfEnvironment && existsSync(kept)
  const secrets: unknown = isKept ? JSON.parse(readFileSync(kept, 'utf8')) : null
  const signingKey = findSigningKey(dataDir)?.export({ type: 'pkcs8', format: 'pem' }) ?? null
  const file = secretsBeside(backup)
  writeFileSync(file, `${JSON.stringify({ secrets, signingKey }, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  return file
}

/**
 * Returns how to put them into a `DATA_DIR`, once the bank is there. Throws `BackupRefused` before writing when it has
 * others, or when the file is missing.
 */
export function secretsToPut(dataDir: string, backup: string): () => void {
  const file = secretsBeside(backup)
  if (!existsSync(file)) throw new BackupRefused(`Falta ${file}: lo crea npm run backup -- --with-secrets.`)
  if ((statSync(file).mode & 0o077) !== 0)
    throw new BackupRefused(`Otros usuarios pueden leer ${file}. Ejecuta: chmod 600 ${file}`)
  const { secrets, signingKey } = JSON.parse(readFileSync(file, 'utf8')) as {
    secrets: unknown
    signingKey: string | null
  }
  const texts = {
    [join(dataDir, secretsFile)]: secrets === null ? null : `${JSON.stringify(secrets, null, 2)}\n`,
    [join(dataDir, signingKeyFile)]: signingKey,
  }
  const missing = Object.entries(texts).filter(([path, text]) => text !== null && !isThere(path, text))
  return () => {
    for (const [path, text] of missing) writeFileSync(path, text ?? '', { mode: 0o600, flag: 'wx' })
  }
}

function isThere(path: string, text: string): boolean {
  if (!existsSync(path)) return false
  if (readFileSync(path, 'utf8') === text) return true
  throw new BackupRefused(`${path} tiene otros secretos que los de la copia. Muévelo a otro lugar primero.`)
}

/** Copies secrets from another `DATA_DIR` that this one lacks. */
export function copySecrets(from: string, to: string): void {
  for (const name of [secretsFile, signingKeyFile]) {
    const [theirs, ours] = [join(from, name), join(to, name)]
    if (existsSync(theirs) && !existsSync(ours))
      writeFileSync(ours, readFileSync(theirs), { mode: 0o600, flag: 'wx' })
  }
}
