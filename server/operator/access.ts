/** `npm run admin`: access that no administrator can give. Each command is one database transaction, audited as the operator's. */
import { randomUUID } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { readEmail } from '#identity/email.ts'
import { type Passwords, createPasswords } from '#identity/password/passwords.ts'
import { createUserStatements, isEmailTaken } from '#identity/users.ts'
import { type CommandContext, CommandRefused } from './command.ts'

type Target = { readonly email: string }

/** The commands of `npm run admin`, by the names that the socket carries. */
export const accessCommands = {
  'admin-list': ({ database }: CommandContext, _nothing: object) => listAdministrators(database),
  'admin-create': (context: CommandContext, { email, fullName }: Target & { fullName: string }) =>
    createAdministrator(context.database, passwordsOf(context), { email: address(email), fullName }),
  'admin-reset-access': resetAccess,
  'admin-revoke': revokeSessions,
  'admin-unban': unban,
}

function passwordsOf({ config }: CommandContext) {
  return createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName })
}

function address(text: string): string {
  const email = readEmail(text)
  if (email === null) throw new CommandRefused(`La dirección de correo no es válida: ${text}`)
  return email
}

/** An administrator, as the list shows them. Times are ISO 8601, `null` for never. */
export type AdministratorEntry = {
  readonly id: string
  readonly email: string
  readonly full_name: string | null
  readonly last_sign_in_at: string | null
  readonly sessions: number
  readonly is_banned: boolean
}

const scope = asService('supabase_auth_admin', 'write')
const asOperator = sql`select private.act_as('operator')`

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

/** Makes a confirmed administrator with a random password. Throws `CommandRefused`. */
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
    throw new CommandRefused(
      `${person.email} ya tiene una cuenta. Un administrador puede darle el rol; o elige otra dirección.`,
      { cause: error },
    )
  }
  return { id, password }
}

/**
 * Answers a new password; revokes every session, link, second factor and ban, and confirms the address. Throws
 * `CommandRefused`.
 */
async function resetAccess(context: CommandContext, target: Target): Promise<{ password: string }> {
  const email = address(target.email)
  const { password, passwordHash } = await newPassword(passwordsOf(context))
  await onPerson(context, email, 'reset_access', [
    sql`
      update auth.users u
      set encrypted_password = ${passwordHash}, banned_until = null, updated_at = now(),
          email_confirmed_at = coalesce(u.email_confirmed_at, now())
      where u.email = ${email}`,
    sql`delete from auth.sessions s using auth.users u where u.email = ${email} and s.user_id = u.id`,
    sql`delete from auth.one_time_tokens t using auth.users u where u.email = ${email} and t.user_id = u.id`,
    sql`delete from auth.flow_state f using auth.users u where u.email = ${email} and f.user_id = u.id`,
    // A lost phone is the usual reason.
    sql`delete from auth.mfa_factors f using auth.users u where u.email = ${email} and f.user_id = u.id`,
  ])
  return { password }
}

/** Throws `CommandRefused`. */
async function revokeSessions(context: CommandContext, target: Target): Promise<void> {
  const email = address(target.email)
  await onPerson(context, email, 'revoke_sessions', [
    sql`delete from auth.sessions s using auth.users u where u.email = ${email} and s.user_id = u.id`,
  ])
}

/** Ends a ban. Throws `CommandRefused`. */
async function unban({ database }: CommandContext, target: Target): Promise<void> {
  const email = address(target.email)
  const [, people] = await database.transaction(scope, [
    asOperator,
    sql`update auth.users u set banned_until = null, updated_at = now() where u.email = ${email} returning u.id`,
  ])
  if (people.length === 0) throw unknownPerson(email)
}

async function onPerson(
  { database }: CommandContext,
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

function unknownPerson(email: string): CommandRefused {
  return new CommandRefused(`No hay ninguna cuenta con la dirección ${email}.`)
}
