/** `npm run admin -- keys`: what programs and a pooler need to come in with. Changes nothing. */
import type { Config } from '#config.ts'
import { AnotherSecret, readDataKey } from '#database/data-key.ts'
import { SqlError } from '#database/database.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import { derivedPassword, servingLoginOf } from '#database/postgres/serving-login.ts'
import { CommandRefused } from '#operator/command.ts'
import { readSecrets } from '#secrets.ts'
import { requireBank, requireSecret } from '#operator/require-bank.ts'
import type { Outcome } from '#operator/command-line.ts'

/** The API keys of this environment; on PostgreSQL also the login that servers make, where the owner's address is known. */
export async function showKeys(config: Config): Promise<Outcome> {
  await requireBank(config)
  requireSecret(config)
  const secrets = await readSecrets(config)
  const { anonKey, serviceRoleKey } = secrets.apiKeys
  // Past a pooler DATABASE_URL has the login and its password already.
  const ownerUrl = config.database?.directUrl === null ? config.database.url : null
  const login = ownerUrl === null ? null : await readLogin(ownerUrl, secrets)
  const sentences = [
    'Clave pública (anon), la que usa la página:',
    anonKey,
    'Clave de servicio (service_role). Quien la tiene puede leer y cambiar todo: no la pegue en chats ni la guarde en el código.',
    serviceRoleKey,
  ]
  if (login !== null)
    sentences.push(
      'Usuario con el que los servidores entran a PostgreSQL, como va en users.txt de PgBouncer:',
      `"${login.name}" "${login.password}"`,
    )
  return { sentences, result: { anonKey, serviceRoleKey, login } }
}

async function readLogin(
  ownerUrl: string,
  secrets: { jwtSecret: string; previousSecret: string | null },
): Promise<{ name: string; password: string } | null> {
  const owner = await connectOwner(ownerUrl)
  try {
    const dataKey = await readDataKey((statement) => owner.query(statement), secrets)
    if (dataKey === null) throw new CommandRefused(new AnotherSecret().message)
    return { name: await servingLoginOf(owner), password: derivedPassword(dataKey) }
  } catch (error) {
    // The login that serves may not read keys.
    if (error instanceof SqlError && error.sqlState === '42501') return null
    throw error
  } finally {
    await owner.close()
  }
}
