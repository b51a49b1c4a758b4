/**
 * The key that signs tokens, and the two API keys. The signing key comes from the environment, or is generated once and
 * stored in `$DATA_DIR/secrets.json`. During a rotation, tokens signed with the previous key are valid too
 * (docs/decisions/0036).
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#settings/config.ts'
import { createPrivateFile } from '#data-directory/private-files.ts'
import { DataDirectoryError, readPrivateFile, secretsFile } from '#data-directory/data-directory.ts'
import { TokenKey } from '#tokens/access-token.ts'
import { type AcceptedApiKeys, deriveApiKeys } from '#tokens/api-keys.ts'

export type Secrets = {
  readonly jwtSecret: string
  /** Key that verifies older tokens but does not sign new tokens; `null` outside a rotation. */
  readonly previousSecret: string | null
  readonly tokenKey: TokenKey
  readonly apiKeys: AcceptedApiKeys
}

/** Returns the path of a directory's secrets; the file may not exist yet. */
export function secretsFileOf(dataDir: string): string {
  return join(dataDir, secretsFile)
}

/**
 * Returns `JWT_SECRET` and the values derived from it. If `JWT_SECRET` is not set, returns the values that the first
 * start in this directory generated. The secrets file also contains the API keys, for programs that need the service
 * key. Throws `DataDirectoryError`.
 */
export async function readSecrets(config: Config): Promise<Secrets> {
  const { siteUrl, dataDir } = config
  const { previousSecret } = config.secrets
  const path = secretsFileOf(dataDir)
  if (config.secrets.jwtSecret === null && !existsSync(path)) {
    const jwtSecret = randomBytes(32).toString('base64url')
    const apiKeys = await deriveApiKeys(await TokenKey.of(jwtSecret, { siteUrl }))
    createPrivateFile(path, `${JSON.stringify({ jwtSecret, ...apiKeys }, null, 2)}\n`)
  }
  const jwtSecret = config.secrets.jwtSecret ?? readSecretFile(path)
  const tokenKey = await TokenKey.of(jwtSecret, { siteUrl, previousSecret })
  const accepted =
    previousSecret === null ? null : await deriveApiKeys(await TokenKey.of(previousSecret, { siteUrl }))
  return { jwtSecret, previousSecret, tokenKey, apiKeys: { ...(await deriveApiKeys(tokenKey)), accepted } }
}

function readSecretFile(path: string): string {
  const secret = jwtSecretIn(readPrivateFile(path).toString('utf8'))
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
