/**
 * The key of all sealed values and codes, from the database (docs/decisions/0036). Values kept under one `JWT_SECRET`
 * can be read under the next.
 */
import { newDataKey, openDataKey as unseal, sealDataKey } from '#tokens/keys.ts'
import { type Database, type SqlStatement, sql } from './database.ts'
import { asService } from './scope.ts'

/** Servers that begin at the same moment may each make one first; another one's is then there to be found. */
const attemptsMax = 10

/** Neither secret of a server opens a key of the bank, whose other servers have another one. */
export class AnotherSecret extends Error {
  override readonly name = 'AnotherSecret'
  override readonly message =
    'JWT_SECRET no es el de este banco. Pon el JWT_SECRET de los demás servidores, o el anterior en ' +
    'JWT_SECRET_PREVIOUS (docs/operations.md, "Keys").'
}

type Ask = <R>(statement: SqlStatement<R>) => Promise<R[]>

/** Asks for it as the service that the keys belong to. */
export function askAsService(database: Pick<Database, 'transaction'>): Ask {
  return async <R>(statement: SqlStatement<R>): Promise<R[]> => {
    const [rows] = await database.transaction(asService('supabase_auth_admin', 'write'), [statement])
    return rows
  }
}

type SecretPair = { readonly jwtSecret: string; readonly previousSecret: string | null }

/** The newest data key that a secret opens, or `null`. Changes nothing. */
export async function readDataKey(ask: Ask, secrets: SecretPair): Promise<string | null> {
  return openAny(await storedKeys(ask), secrets)?.key ?? null
}

/**
 * The newest data key that a secret opens. If only the accepted secret opens the key, the key is sealed anew with the
 * present secret. If neither opens it, a bank of several servers throws `AnotherSecret`. A single server makes another
 * key, and values under older keys stay unreadable until their secret is back.
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

/** Prefers a key that the present secret opens to one that only the accepted one opens. */
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
