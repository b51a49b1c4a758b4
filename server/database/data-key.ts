/**
 * The data key. The keys that seal values and compute MACs are derived from the data key. The data key is stored in the
 * database (docs/decisions/0036), so that values written under one `JWT_SECRET` can still be read after the secret has
 * changed.
 */
import { newDataKey, openDataKey as unseal, sealDataKey } from '#tokens/keys.ts'
import { type Database, type SqlStatement, sql } from './database.ts'
import { asService } from './scope.ts'

/**
 * Servers that start at the same time may each try to create a key. Only one key is stored, and the other servers find
 * it on their next attempt.
 */
const attemptsMax = 10

/**
 * Neither the current nor the previous secret of this server opens a stored data key, because the bank's other servers
 * use a different secret.
 */
export class AnotherSecret extends Error {
  override readonly name = 'AnotherSecret'
  override readonly message =
    'JWT_SECRET no es el de este banco. Pon el JWT_SECRET de los demás servidores, o el anterior en ' +
    'JWT_SECRET_PREVIOUS (docs/es/claves.md, "JWT_SECRET no es el de este banco").'
}

type Ask = <R>(statement: SqlStatement<R>) => Promise<R[]>

/** Returns a function that runs a statement as the authentication service, which owns the keys. */
export function askAsService(database: Pick<Database, 'transaction'>): Ask {
  return async <R>(statement: SqlStatement<R>): Promise<R[]> => {
    const [rows] = await database.transaction(asService('supabase_auth_admin', 'write'), [statement])
    return rows
  }
}

type SecretPair = { readonly jwtSecret: string; readonly previousSecret: string | null }

/**
 * Returns the newest data key that the current or the previous secret opens, or `null` if these secrets do not open any
 * key. Changes nothing.
 */
export async function readDataKey(ask: Ask, secrets: SecretPair): Promise<string | null> {
  return openAny(await storedKeys(ask), secrets)?.key ?? null
}

/**
 * Returns the newest data key that the current or the previous secret opens. If only the previous secret opens the data
 * key, seals the data key again with the current secret. If neither secret opens a stored key and the bank runs several
 * servers, throws `AnotherSecret`. If the bank has only one server, this server instead creates another key. Values
 * that were sealed under older keys stay unreadable until the operator restores the secret of those keys.
 */
export async function openDataKey(
  ask: Ask,
  secrets: SecretPair,
  { isOnlyServer }: { readonly isOnlyServer: boolean },
): Promise<string> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const stored = await storedKeys(ask)
    const opened = openAny(stored, secrets)
    if (opened !== null) {
      const { key, version, isAccepted } = opened
      if (isAccepted)
        await ask(sql`
          update auth.data_keys k set sealed = ${sealDataKey(secrets.jwtSecret, key)} where k.version = ${version}::integer`)
      return key
    }
    if (stored.length > 0 && !isOnlyServer) throw new AnotherSecret()
    const next = (stored[0]?.version ?? 0) + 1
    await ask(sql`
      insert into auth.data_keys (version, sealed) values (${next}::integer, ${sealDataKey(secrets.jwtSecret, newDataKey())})
      on conflict do nothing`)
  }
  throw new Error('Other servers make data keys without end: do all have the same JWT_SECRET?')
}

type StoredKey = { version: number; sealed: Uint8Array }

function storedKeys(ask: Ask): Promise<StoredKey[]> {
  return ask(sql<StoredKey>`select k.version, k.sealed from auth.data_keys k order by k.version desc`)
}

/** Tries the current secret before the previous one. */
function openAny(keys: readonly StoredKey[], { jwtSecret, previousSecret }: SecretPair) {
  for (const secret of [jwtSecret, previousSecret]) {
    if (secret === null) continue
    for (const { version, sealed } of keys) {
      const key = unseal(secret, sealed)
      if (key !== null) return { key, version, isAccepted: secret !== jwtSecret }
    }
  }
  return null
}
