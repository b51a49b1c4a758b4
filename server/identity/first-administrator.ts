/** The first administrator of an empty bank (product-decisions §7): there is no default password. */
import { randomBytes, randomUUID } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Passwords } from './passwords.ts'
import { appMetadata, createIdentity, isEmailTaken } from './users.ts'

/** The first administrator's address belongs to a customer: who of them is meant is the operator's to say. */
export class AdministratorAddressTaken extends Error {
  override readonly name = 'AdministratorAddressTaken'
}

/**
 * Makes sure that the bank has an administrator. Answers the password that was made up for a new one,
 * to be shown once; `null` when there was one already, or when the operator chose the password.
 * Several servers may call at once: one of them creates. Throws `AdministratorAddressTaken`.
 */
export async function ensureFirstAdministrator(
  database: Database,
  passwords: Passwords,
  account: { readonly email: string; readonly password: string | null },
): Promise<string | null> {
  const [[answer]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql`select from auth.users u where u.raw_app_meta_data ->> 'role' = 'admin' limit 1`,
  ])
  if (answer !== undefined) return null

  const password = account.password ?? randomBytes(18).toString('base64url')
  const passwordHash = await passwords.hash(password, { email: account.email, isOperator: true })
  const isCreated = await createUnlessThereIsOne(database, { email: account.email, passwordHash })
  return isCreated && account.password === null ? password : null
}

async function createUnlessThereIsOne(
  database: Database,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> {
  const id = randomUUID()
  const insert: SqlStatement<{ id: string }> = sql`
    insert into auth.users
      (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
    select
      ${id}, ${email}, ${passwordHash}, now(), ${JSON.stringify(appMetadata('admin'))}, '{"email_verified": true}'
    where not exists (select from auth.users u where u.raw_app_meta_data ->> 'role' = 'admin')
    returning id`
  try {
    const [, created] = await database.transaction(asService('supabase_auth_admin', 'write'), [
      // The lock that also guards the last administrator: whoever comes second sees the first one's work.
      sql`select pg_advisory_xact_lock(hashtext('finanzas.administrators'))`,
      insert,
      createIdentity(id),
    ])
    return created.length === 1
  } catch (error) {
    if (!isEmailTaken(error)) throw error
    throw new AdministratorAddressTaken(
      `No administrator exists, and ${email} belongs to a customer. Set ADMIN_EMAIL to another address.`,
      { cause: error },
    )
  }
}
