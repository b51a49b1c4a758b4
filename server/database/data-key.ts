/**
 * The key of everything that is kept sealed or as a code, from the database (docs/decisions/0036): what was kept under one
 * `JWT_SECRET` can be read under the next.
 */
import { DataKeySeal, newDataKey } from '#tokens/data-key.ts'
import { type Database, type SqlStatement, sql } from './database.ts'
import { asService } from './scope.ts'

/** Servers that begin at the same moment may each make one first; another one's is then there to be found. */
const attemptsMax = 10

/**
 * The newest data key that a secret opens. Where only the accepted one does, the key is sealed anew with the present
 * one; where neither does, another one is made, and what the older ones sealed is out of reach until their secret is
 * back.
 */
export async function openDataKey(
  database: Pick<Database, 'transaction'>,
  secrets: { readonly jwtSecret: string; readonly acceptedSecret: string | null },
): Promise<string> {
  const present = DataKeySeal.of(secrets.jwtSecret)
  const accepted = secrets.acceptedSecret === null ? null : DataKeySeal.of(secrets.acceptedSecret)
  const ask = async <R>(statement: SqlStatement<R>): Promise<R[]> => {
    const [rows] = await database.transaction(asService('supabase_auth_admin', 'write'), [statement])
    return rows
  }
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const keys = await ask(sql<StoredKey>`
      select k.version, k.sealed from auth.data_keys k order by k.version desc`)
    for (const { sealed } of keys) {
      const key = present.open(sealed)
      if (key !== null) return key
    }
    for (const { version, sealed } of keys) {
      const key = accepted?.open(sealed) ?? null
      if (key === null) continue
      await ask(sql`
        update auth.data_keys k set sealed = ${present.seal(key)} where k.version = ${version}::integer`)
      return key
    }
    const next = (keys[0]?.version ?? 0) + 1
    await ask(sql`
      insert into auth.data_keys (version, sealed) values (${next}::integer, ${present.seal(newDataKey())})
      on conflict do nothing`)
  }
  throw new Error('Other servers make data keys without end: do all have the same JWT_SECRET?')
}

type StoredKey = { version: number; sealed: Uint8Array }
