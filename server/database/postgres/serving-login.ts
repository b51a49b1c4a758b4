/**
 * The password of the login that serves. It follows from the bank's data key, so every server knows the same one, also
 * while JWT_SECRET changes; or the operator chose it, for a pooler that must know it too. A password that works is never
 * set again, and one that sessions with another password came in with neither: they could not come in any more
 * (docs/decisions/0043).
 */
import { createHmac } from 'node:crypto'
import { type Owner, sql } from '#database/database.ts'
import { retryRoleChange } from './role-changes.ts'
import { mayLogIn } from './postgres.ts'

/** Addresses of a bank's serving login. */
export type ServingLogin = {
  readonly name: string
  /** Where it serves from; a pooler may answer there. */
  readonly url: string
  /** The same login and password at the database itself. */
  readonly directUrl: string
  /** Ends the `application_name` of sessions that came in with this very password. */
  readonly passwordMark: string
}

/** What became of an attempt to let the login in. */
export type Admission = 'let in already' | 'password set' | 'others have another password'

/** The password that follows from the bank's data key. */
export function derivedPassword(dataKey: string): string {
  return createHmac('sha256', dataKey).update('serving login').digest('base64url')
}

/** The same for each server that has this password, and no help in finding it. */
export function passwordMark(password: string, dataKey: string): string {
  return createHmac('sha256', dataKey).update(`password mark ${password}`).digest('hex').slice(0, 8)
}

/** The name of the login that serves the database of this connection. */
export async function servingLoginOf(owner: Owner): Promise<string> {
  const [row] = await owner.query(sql<{ name: string }>`select auth.serving_login() as name`)
  return row?.name ?? ''
}

/** Sets the login's password where it is refused with it, and no other session would suffer. Throws `DatabaseUnavailable`. */
export async function admit(
  owner: Owner,
  { name, directUrl, passwordMark: mark }: ServingLogin,
): Promise<Admission> {
  if (await mayLogIn(directUrl)) return 'let in already'
  const [others] = await owner.query(sql<{ count: number }>`
    select count(*) as count from pg_catalog.pg_stat_activity
    where usename = ${name} and application_name not like ${`% ${mark}`}`)
  if (others?.count !== 0) {
    // Another server that starts at this moment may have set the same password meanwhile.
    return (await mayLogIn(directUrl)) ? 'let in already' : 'others have another password'
  }
  const literal = `'${decodeURIComponent(new URL(directUrl).password).replaceAll("'", "''")}'`
  await retryRoleChange(() => owner.script(`alter role ${quoted(name)} password ${literal}`))
  return 'password set'
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
