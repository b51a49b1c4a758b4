/**
 * The keys with which the bank signs statements (docs/decisions/0059). The database stores them, so that every server
 * signs with the same key. Public keys are never deleted. A private key is sealed with a key derived from the data
 * key, which outlives `JWT_SECRET`.
 */
import {
  type SigningKey,
  type StatementKey,
  type StatementKeys,
  newSigningKey,
  openSigningKey,
} from '@finanzas/contract/statement/signature.ts'
import type { SealingKey } from '#tokens/keys.ts'
import { askAsService } from './data-key.ts'
import { type Database, sql } from './database.ts'
import { asService } from './scope.ts'

/** Several servers that sign for the first time at once may each create a key; only the first one is stored. */
const attemptsMax = 10

/** Returns the key that signs. Creates the first one, and a new one after a retirement. */
export async function openStatementKey(
  database: Pick<Database, 'transaction'>,
  seal: SealingKey,
): Promise<SigningKey> {
  const ask = askAsService(database)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const [stored] = await ask(
      sql<{ kid: string; sealed: Uint8Array }>`
        select k.kid, k.sealed from auth.statement_keys k where k.retired_at is null`,
    )
    const pkcs8 = stored === undefined ? null : opened(seal, stored)
    if (pkcs8 !== null) return openSigningKey(pkcs8)
    // The data key that sealed the private key is lost, so the private key is lost too.
    if (stored !== undefined) await ask(retireStatementKey(stored.kid))
    const made = await newSigningKey()
    const { publicKey } = await openSigningKey(made)
    const { kid } = publicKey
    await ask(sql`
      insert into auth.statement_keys (kid, public_key, sealed)
      values (${kid}, ${JSON.stringify(publicKey)}::jsonb, ${seal.seal(made, kid)})
      on conflict do nothing`)
  }
  throw new Error('Keys of statements are retired as fast as they are made.')
}

/** Retires a key, or the current one, and deletes its private key; the next statement creates a new one. */
export function retireStatementKey(kid: string | null) {
  return sql<{ kid: string }>`
    update auth.statement_keys k set retired_at = now(), sealed = null
    where k.retired_at is null and k.kid = coalesce(${kid}, k.kid) returning k.kid`
}

/** Returns every public key that has ever signed, newest first. */
export async function readStatementKeys(database: Pick<Database, 'transaction'>): Promise<StatementKeys> {
  const [rows] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{
      public_key: StatementKey
    }>`select k.public_key from auth.statement_keys k order by k.created_at desc, k.kid`,
  ])
  return { keys: rows.map(({ public_key: key }) => key) }
}

/** Opens a sealed private key. Returns `null` if another data key sealed it. */
function opened(seal: SealingKey, { kid, sealed }: { kid: string; sealed: Uint8Array }): Uint8Array | null {
  try {
    return seal.open(sealed, kid)
  } catch {
    return null
  }
}
