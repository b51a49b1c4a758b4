/**
 * The keys with which the bank signs account statements (docs/decisions/0059). The keys are stored in the database, so
 * that every server signs with the same key. Public keys are never deleted. A private key is sealed with a key that is
 * derived from the data key, and can therefore still be opened after `JWT_SECRET` has changed.
 */
import {
  type SigningKey,
  type StatementKey,
  type StatementKeys,
  newSigningKey,
  openSigningKey,
} from '@finanzas/contract/papers/signature.ts'
import type { SealingKey } from '#tokens/keys.ts'
import { askAsService } from './data-key.ts'
import { type Database, sql } from './database.ts'
import { asService } from './scope.ts'

/** Servers that sign their first statement at the same time may each create a key. Only the first key is stored. */
const attemptsMax = 10

/** Returns the current signing key. Creates a key if none exists yet or if the last key was retired. */
export async function openStatementKey(
  database: Pick<Database, 'transaction'>,
  seal: SealingKey,
): Promise<SigningKey> {
  const ask = askAsService(database)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const [stored] = await ask(
      sql<{ kid: string; sealed: Uint8Array }>`
        select k.kid, k.sealed from auth.signing_keys k`,
    )
    const pkcs8 = stored === undefined ? null : opened(seal, stored)
    if (pkcs8 !== null) return openSigningKey(pkcs8)
    // The private key cannot be opened, because the data key that sealed it is lost.
    if (stored !== undefined) await ask(retireStatementKey(stored.kid))
    const made = await newSigningKey()
    const { publicKey } = await openSigningKey(made)
    const { kid } = publicKey
    await ask(sql`
      with signing as (
        insert into auth.signing_keys (kid, sealed) values (${kid}, ${seal.seal(made, kid)})
        on conflict do nothing returning kid
      )
      insert into auth.statement_keys (kid, public_key)
      select s.kid, ${JSON.stringify(publicKey)}::jsonb from signing s`)
  }
  throw new Error('Keys of statements are retired as fast as they are made.')
}

/**
 * Returns a statement that retires the given key, or the current key for `null`: it deletes the private part. The next
 * account statement creates a new key.
 */
export function retireStatementKey(kid: string | null) {
  return sql<{ kid: string }>`
    delete from auth.signing_keys k where k.kid = coalesce(${kid}, k.kid) returning k.kid`
}

/** Returns all public keys, including those of retired keys, newest first. */
export async function readStatementKeys(database: Pick<Database, 'transaction'>): Promise<StatementKeys> {
  const [rows] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{
      public_key: StatementKey
    }>`select k.public_key from auth.statement_keys k order by k.created_at desc, k.kid`,
  ])
  return { keys: rows.map(({ public_key: key }) => key) }
}

/** Opens a sealed private key. Returns `null` if the private key was sealed with another data key. */
function opened(seal: SealingKey, { kid, sealed }: { kid: string; sealed: Uint8Array }): Uint8Array | null {
  try {
    return seal.open(sealed, kid)
  } catch {
    return null
  }
}
