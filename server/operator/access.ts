/**
 * `npm run admin`: manages access that administrators cannot grant. Each command runs in one database transaction and
 * writes an audit entry that names the operator.
 */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { retireStatementKey } from '#database/statement-keys.ts'
import { type Passwords, createPasswords } from '#people/password/passwords.ts'
import { createUserStatements, isEmailTaken } from '#people/users.ts'
import { type CommandContext, CommandRefused } from './command.ts'
import { helpDeskCommands } from './help-desk.ts'
import { actOn, addressOf, asOperator, operatorScope } from './person.ts'

type Target = { readonly email: string }

/** The commands of `npm run admin`, keyed by their names on the socket. */
export const accessCommands = {
  'admin-list': ({ database }: CommandContext, _nothing: object) => listAdministrators(database),
  'admin-create': (context: CommandContext, { email, fullName }: Target & { fullName: string }) =>
    createAdministrator(context.database, passwordsOf(context), { email: addressOf(email), fullName }),
  'admin-reset-access': resetAccess,
  'admin-new-statement-key': retireKey,
  ...helpDeskCommands,
}

/** Retires the key that signs account statements. Returns the key's id, or `null` if the bank had no such key. */
async function retireKey(
  { config, database }: CommandContext,
  _nothing: object,
): Promise<{ kid: string | null }> {
  if (config.paperCertificate !== null)
    throw new CommandRefused(
      'El banco firma con el certificado de PAPER_CERTIFICATE. Para cambiar la clave, pon otro archivo y reinicia.',
    )
  const [, retired] = await database.transaction(operatorScope, [
    asOperator,
    retireStatementKey(null),
    sql`select private.record_audit('retire_statement_key', null, null, null)`,
  ])
  return { kid: retired[0]?.kid ?? null }
}

function passwordsOf({ config }: CommandContext) {
  return createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName })
}

/** One administrator in the list. `last_sign_in_at` is in ISO 8601; `null` if the administrator has never signed in. */
export type AdministratorEntry = {
  readonly id: string
  readonly email: string
  readonly full_name: string | null
  readonly last_sign_in_at: string | null
  readonly sessions: number
  readonly is_banned: boolean
}

async function listAdministrators(database: Database): Promise<AdministratorEntry[]> {
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

/** Creates a confirmed administrator with a random password. Throws `CommandRefused`. */
export async function createAdministrator(
  database: Database,
  passwords: Passwords,
  person: { readonly email: string; readonly fullName: string },
): Promise<{ id: string; password: string }> {
  const { password, passwordHash } = await newPassword(passwords)
  const id = randomUUID()
  try {
    await database.transaction(operatorScope, [
      asOperator,
      ...createUserStatements({ ...person, id, passwordHash, role: 'admin' }),
    ])
  } catch (error) {
    if (!isEmailTaken(error)) throw error
    throw new CommandRefused(
      `${person.email} ya tiene una cuenta. Un administrador puede darle el rol; o elige otra dirección.`,
      { cause: error },
    )
  }
  return { id, password }
}

/**
 * Sets and returns a new password. Revokes every session and link, removes the second factors, ends any ban, and
 * confirms the address. Throws `CommandRefused`.
 */
async function resetAccess(context: CommandContext, target: Target): Promise<{ password: string }> {
  const email = addressOf(target.email)
  const { password, passwordHash } = await newPassword(passwordsOf(context))
  await actOn(context, email, (id) => [
    sql`
      update auth.users u
      set encrypted_password = ${passwordHash}, banned_until = null, updated_at = now(),
          email_confirmed_at = coalesce(u.email_confirmed_at, now())
      where u.id = ${id}`,
    // The second factors are removed too, because a lost phone is the usual reason for this command.
    sql`delete from auth.mfa_factors f where f.user_id = ${id}`,
    sql`delete from auth.sessions s where s.user_id = ${id}`,
    sql`select auth.end_links(${id})`,
    sql`select auth.forget_factors_end(${id})`,
    sql`select private.record_access_reset(${id})`,
  ])
  return { password }
}

async function newPassword(passwords: Passwords): Promise<{ password: string; passwordHash: string }> {
  const password = passwords.makeUp()
  return { password, passwordHash: await passwords.hash(password, { email: null }) }
}
