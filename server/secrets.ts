/**
 * The signing key, from the environment or made once and kept in `$DATA_DIR/secrets.json`, and the two API keys. While the
 * key changes, what another one signed counts too (docs/decisions/0036).
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#config.ts'
import { errorCode } from './database/error-code.ts'
import { writeClosedFile } from './database/pglite/closed-files.ts'
import { DataDirectoryError } from './database/pglite/data-directory.ts'
import { TokenKey } from '#tokens/access-token.ts'
import { type AcceptedApiKeys, deriveApiKeys } from '#tokens/api-keys.ts'

export type Secrets = {
  readonly jwtSecret: string
  /** What it signed counts, and nothing new is signed with it; `null` where there is no such secret. */
  readonly previousSecret: string | null
  readonly tokenKey: TokenKey
  readonly apiKeys: AcceptedApiKeys
}

/** Where a directory keeps them, whether they are there or not. */
export function secretsFileOf(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

/**
 * `JWT_SECRET` and what follows from it; without it, what this directory's first start made.
 * The file holds the API keys too, for programs that need the service key. Throws `DataDirectoryError`.
 */
export async function readSecrets(config: Config): Promise<Secrets> {
  const path = secretsFileOf(config.dataDir)
  const isNew = config.secrets.jwtSecret === null && !existsSync(path)
  const jwtSecret =
    config.secrets.jwtSecret ?? (isNew ? randomBytes(32).toString('base64url') : readFile(path))
  const { siteUrl } = config
  const { previousSecret } = config.secrets
  const tokenKey = await TokenKey.of(jwtSecret, { siteUrl, previousSecret })
  const apiKeys = await deriveApiKeys(tokenKey)
  if (isNew) {
    try {
      writeClosedFile(path, `${JSON.stringify({ jwtSecret, ...apiKeys }, null, 2)}\n`)
    } catch (error) {
      // Another server of the same directory was first.
      if (errorCode(error) === 'EEXIST') return readSecrets(config)
      throw error
    }
  }
  const accepted =
    previousSecret === null ? null : await deriveApiKeys(await TokenKey.of(previousSecret, { siteUrl }))
  return { jwtSecret, previousSecret, tokenKey, apiKeys: { ...apiKeys, accepted } }
}

function readFile(path: string): string {
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new DataDirectoryError(`Otros usuarios pueden leer ${path}. Ejecuta: chmod 600 ${path}`)
  }
  const secret = jwtSecretIn(readFileSync(path, 'utf8'))
  if (secret === null) {
    throw new DataDirectoryError(
      `${path} no contiene ninguna clave de firma. Recupéralo de una copia; si no hay, bórralo: se crea una clave nueva y se cierran todas las sesiones.`,
    )
  }
  return secret
}

function jwtSecretIn(text: string): string | null {
  try {
    const { jwtSecret } = JSON.parse(text) as { jwtSecret?: unknown }
    return typeof jwtSecret === 'string' && jwtSecret.length >= 32 ? jwtSecret : null
  } catch {
    return null
  }
}
