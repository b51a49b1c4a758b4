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

/** Makes the certificates of the keys, with which a PDF is signed. Certificates are DER in base64. */
export type Certifier = {
  readonly certify: (pkcs8: Uint8Array<ArrayBuffer>) => Promise<string>
  readonly hasExpired: (certificate: string) => boolean
}

/**
 * Returns the current signing key with its certificate. Creates a key if none exists yet, if the last key was retired,
 * or if its certificate has expired.
 */
export async function openStatementKey(
  database: Pick<Database, 'transaction'>,
  seal: SealingKey,
  { certify, hasExpired }: Certifier,
): Promise<SigningKey> {
  const ask = askAsService(database)
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const [stored] = await ask(
      sql<StoredKey>`
        select k.kid, s.sealed, k.public_key as "publicKey"
        from auth.signing_keys s join auth.statement_keys k on k.kid = s.kid`,
    )
    const pkcs8 = stored === undefined ? null : opened(seal, stored)
    const [certificate] = stored?.publicKey.x5c ?? []
    if (stored !== undefined && pkcs8 !== null && certificate !== undefined && !hasExpired(certificate))
      return { ...(await openSigningKey(pkcs8)), publicKey: stored.publicKey }
    // The certificate has expired, or the data key that sealed the private key is lost.
    if (stored !== undefined) await ask(retireStatementKey(stored.kid))
    const made = await newSigningKey()
    const { publicKey } = await openSigningKey(made)
    const { kid } = publicKey
    const certified = { ...publicKey, x5c: [await certify(made)] } satisfies StatementKey
    await ask(sql`
      with signing as (
        insert into auth.signing_keys (kid, sealed) values (${kid}, ${seal.seal(made, kid)})
        on conflict do nothing returning kid
      )
      insert into auth.statement_keys (kid, public_key)
      select s.kid, ${JSON.stringify(certified)}::jsonb from signing s`)
  }
  throw new Error('Keys of statements are retired as fast as they are made.')
}

/** Publishes the public key of a certificate that the bank brings. Its private part is never stored. */
export async function publishStatementKey(
  database: Pick<Database, 'transaction'>,
  publicKey: StatementKey,
): Promise<void> {
  await askAsService(database)(sql`
    insert into auth.statement_keys (kid, public_key)
    values (${publicKey.kid}, ${JSON.stringify(publicKey)}::jsonb) on conflict (kid) do nothing`)
}

type StoredKey = { readonly kid: string; readonly sealed: Uint8Array; readonly publicKey: StatementKey }

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
function opened(seal: SealingKey, { kid, sealed }: StoredKey): Uint8Array | null {
  try {
    return seal.open(sealed, kid)
  } catch {
    return null
  }
}
