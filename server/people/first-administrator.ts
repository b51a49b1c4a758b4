/** The first administrator of an empty bank, created without a default password. */
import { randomUUID } from 'node:crypto'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Passwords } from '#people/password/passwords.ts'
import { appMetadata, createIdentity, isEmailTaken } from './users.ts'

/**
 * The address that is configured for the first administrator belongs to a customer. The operator must choose another
 * address.
 */
export class AdministratorAddressTaken extends Error {
  override readonly name = 'AdministratorAddressTaken'
}

/** Settings of the first administrator, and the functions that print the password and notices. */
export type FirstAdministrator = {
  readonly email: string
  readonly password: string | null
  /** Called as soon as the user can sign in with the password. */
  readonly onPasswordMade: (email: string, password: string) => void
  readonly onNotice: (sentence: string) => void
}

/**
 * Ensures that the bank has an administrator. Prints the generated password of a new administrator and stores only its
 * hash. The operator may miss the password. Until an administrator has signed in, each start therefore prints how to
 * get a new password. Several servers may call this function at once, but only one of them creates the administrator.
 * Throws `AdministratorAddressTaken` and `WeakPassword`.
 */
export async function ensureFirstAdministrator(
  database: Database,
  passwords: Passwords,
  account: FirstAdministrator,
): Promise<void> {
  const [[first]] = await database.transaction(readScope, [
    sql<{ email: string; passwordHash: string | null; isNew: boolean }>`
      select u.email, u.encrypted_password as "passwordHash",
        not exists (
          select from auth.users a
          where a.raw_app_meta_data ->> 'role' = 'admin' and a.last_sign_in_at is not null
        ) as "isNew"
      from auth.users u
      where u.raw_app_meta_data ->> 'role' = 'admin'
      order by u.created_at, u.id
      limit 1`,
  ])
  if (first === undefined) {
    await createFirst(database, passwords, account)
    return
  }
  const { email, passwordHash, isNew } = first
  const { password } = account
  if (!isNew || (password !== null && (await passwords.compare(password, passwordHash)).matches)) return
  account.onNotice(
    `${email} todavía no ha entrado nunca. Su contraseña se mostró una sola vez, en el primer inicio. ` +
      `Si no la tienes: npm run admin -- reset-access ${email}`,
  )
}

/** The default address, which has no mailbox. */
const noMailbox = 'admin@finanzas.local'

/**
 * Returns a notice if an administrator still has the default address although a mail server is configured, and `null`
 * otherwise.
 */
export async function noticeOfNoMailbox(database: Database): Promise<string | null> {
  const [[found]] = await database.transaction(readScope, [
    sql`select from auth.users u where u.email = ${noMailbox} and u.raw_app_meta_data ->> 'role' = 'admin'`,
  ])
  if (found === undefined) return null
  return (
    `Los correos salen por SMTP_URL, y ${noMailbox} no tiene buzón: «¿Olvidaste tu contraseña?» no le llega. ` +
    'Crea un administrador con tu correo: npm run admin -- create CORREO'
  )
}

const readScope = asService('supabase_auth_admin', 'read')

async function createFirst(
  database: Database,
  passwords: Passwords,
  { email, password, onPasswordMade }: FirstAdministrator,
): Promise<void> {
  const id = randomUUID()
  const chosen = password ?? passwords.makeUp()
  const passwordHash = await passwords.hash(chosen, { email })
  const created = await database
    .transaction(asService('supabase_auth_admin', 'write'), [
      // All changes to administrators acquire the same lock. A second server waits for the lock and then finds the
      // administrator that the first server created.
      sql`select pg_advisory_xact_lock(hashtext('finanzas.administrators'))`,
      sql`
        insert into auth.users
          (id, email, encrypted_password, email_confirmed_at, raw_app_meta_data, raw_user_meta_data)
        select
          ${id}, ${email}, ${passwordHash}, now(), ${JSON.stringify(appMetadata('admin'))}, '{"email_verified": true}'
        where not exists (select from auth.users u where u.raw_app_meta_data ->> 'role' = 'admin')
        returning id`,
      createIdentity(id),
    ])
    .catch((error: unknown) => {
      if (!isEmailTaken(error)) throw error
      throw new AdministratorAddressTaken(
        `No hay ningún administrador, y ${email} es el correo de un cliente. Pon otro en ADMIN_EMAIL.`,
        { cause: error },
      )
    })
  if (created[1].length === 1 && password === null) onPasswordMade(email, chosen)
}
