/**
 * What the operator does about people's access (`npm run admin`), where no administrator can: each is one database
 * transaction that also writes the audit, as done by the operator.
 */
import { randomUUID } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Passwords } from '#identity/password/passwords.ts'
import { createUserStatements, isEmailTaken } from '#identity/users.ts'

/** An administrator, as the list shows them. Times are ISO 8601, `null` for never. */
export type AdministratorEntry = {
  readonly id: string
  readonly email: string
  readonly full_name: string | null
  readonly last_sign_in_at: string | null
  readonly sessions: number
  readonly is_banned: boolean
}

/** The account that a command is about does not exist, or one that it would make does. */
export class AccessRefused extends Error {
  override readonly name = 'AccessRefused'
}

const scope = asService('supabase_auth_admin', 'write')
const asOperator = sql`select private.act_as('operator')`

/** Every administrator, by address. */
export async function listAdministrators(database: Database): Promise<AdministratorEntry[]> {
  const [rows] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<AdministratorEntry>`
      select u.id, u.email, u.raw_user_meta_data ->> 'full_name' as full_name,
        to_jsonb(u.last_sign_in_at) #>> '{}' as last_sign_in_at,
        (select count(*) from auth.sessions s where s.user_id = u.id)::integer as sessions,
        coalesce(u.banned_until > now(), false) as is_banned
      from auth.users u
      where u.raw_app_meta_data ->> 'role' = 'admin'
      order by u.email`,
  ])
  return rows
}

/** How many customers and administrators there are. */
export async function countPeople(
  database: Database,
): Promise<{ readonly customers: number; readonly administrators: number }> {
  const [[counts]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{ customers: number; administrators: number }>`
      select count(*) filter (where u.raw_app_meta_data ->> 'role' is distinct from 'admin') as customers,
        count(*) filter (where u.raw_app_meta_data ->> 'role' = 'admin') as administrators
      from auth.users u`,
  ])
  return counts ?? { customers: 0, administrators: 0 }
}

/** Makes an administrator, confirmed at once. Answers the password, which nobody else knows. Throws `AccessRefused`. */
export async function createAdministrator(
  database: Database,
  passwords: Passwords,
  person: { readonly email: string; readonly fullName: string },
): Promise<{ id: string; password: string }> {
  const { password, passwordHash } = await newPassword(passwords)
  const id = randomUUID()
  try {
    await database.transaction(scope, [
      asOperator,
      ...createUserStatements({ ...person, id, passwordHash, role: 'admin' }),
    ])
  } catch (error) {
    if (!isEmailTaken(error)) throw error
    throw new AccessRefused(
      `${person.email} ya tiene una cuenta. Un administrador puede darle el rol; o elige otra dirección.`,
      { cause: error },
    )
  }
  return { id, password }
}

/**
 * Lets somebody back in who is locked out: a new password, which is answered; every session, link, second factor and
 * ban ends, and the address counts as confirmed. Throws `AccessRefused`.
 */
export async function resetAccess(
  database: Database,
  passwords: Passwords,
  email: string,
): Promise<{ password: string }> {
  const { password, passwordHash } = await newPassword(passwords)
  await onPerson(database, email, 'reset_access', [
    sql`
      update auth.users u
      set encrypted_password = ${passwordHash}, banned_until = null, updated_at = now(),
          email_confirmed_at = coalesce(u.email_confirmed_at, now())
      where u.email = ${email}`,
    sql`delete from auth.sessions s using auth.users u where u.email = ${email} and s.user_id = u.id`,
    sql`delete from auth.one_time_tokens t using auth.users u where u.email = ${email} and t.user_id = u.id`,
    sql`delete from auth.flow_state f using auth.users u where u.email = ${email} and f.user_id = u.id`,
    // A lost telephone is what most people are locked out by.
    sql`delete from auth.mfa_factors f using auth.users u where u.email = ${email} and f.user_id = u.id`,
  ])
  return { password }
}

/** Signs somebody out everywhere. Throws `AccessRefused`. */
export async function revokeSessions(database: Database, email: string): Promise<void> {
  await onPerson(database, email, 'revoke_sessions', [
    sql`delete from auth.sessions s using auth.users u where u.email = ${email} and s.user_id = u.id`,
  ])
}

/** Ends a ban; who is not banned stays so. The audit writes itself. Throws `AccessRefused`. */
export async function unban(database: Database, email: string): Promise<void> {
  const [, people] = await database.transaction(scope, [
    asOperator,
    sql`update auth.users u set banned_until = null, updated_at = now() where u.email = ${email} returning u.id`,
  ])
  if (people.length === 0) throw unknownPerson(email)
}

async function onPerson(
  database: Database,
  email: string,
  action: string,
  statements: readonly SqlStatement[],
): Promise<void> {
  const [people] = await database.transaction(scope, [
    sql`select u.id from auth.users u where u.email = ${email}`,
    asOperator,
    ...statements,
    sql`
      select private.record_audit(${action}, u.id, null, null)
      from auth.users u where u.email = ${email}`,
  ])
  if (people?.length !== 1) throw unknownPerson(email)
}

async function newPassword(passwords: Passwords): Promise<{ password: string; passwordHash: string }> {
  const password = passwords.makeUp()
  return { password, passwordHash: await passwords.hash(password, { email: null }) }
}

function unknownPerson(email: string): AccessRefused {
  return new AccessRefused(`No hay ninguna cuenta con la dirección ${email}.`)
}
