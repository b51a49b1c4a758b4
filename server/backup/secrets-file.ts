/**
 * Copies a bank's secrets to a file beside a backup, if the operator requests the copy. With this file, sessions and
 * API keys survive a restore. Without the file, every user must sign in again and the API keys change.
 */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretsFile, signingKeyFile } from '#data-directory/data-directory.ts'
import { findSigningKey } from './signing-key.ts'
import { BackupRefused } from './manifest.ts'

/** Returns the path of a backup's secrets file. */
function secretsBeside(backup: string): string {
  return `${backup}.secrets.json`
}

/**
 * Writes the secrets in `$DATA_DIR` to the file, with mode 0600. Leaves out secrets that come from the environment. If
 * `JWT_SECRET` is set, the function also leaves out the directory's `secrets.json`, because the server does not use
 * that file.
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
 * Returns a function that writes the secrets into a `DATA_DIR`; call this function after the restore. Throws
 * `BackupRefused` at once if the directory already has different secrets or if the file is missing.
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

/** Copies secrets from one `DATA_DIR` to another, and skips secrets that the other directory already has. */
export function copySecrets(from: string, to: string): void {
  for (const name of [secretsFile, signingKeyFile]) {
    const [theirs, ours] = [join(from, name), join(to, name)]
    if (existsSync(theirs) && !existsSync(ours))
      writeFileSync(ours, readFileSync(theirs), { mode: 0o600, flag: 'wx' })
  }
}
