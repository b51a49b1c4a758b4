/**
 * From the operator's addresses to a login that may serve (product-decisions §9). Where the given login
 * may create roles and schemas, the database is prepared with it and served as the least-privileged one.
 */
import { createHmac } from 'node:crypto'
import { type Owner, SqlError, sql } from './database.ts'
import { migrate } from './migrate.ts'
import { connectOwner } from './postgres.ts'

/** What keeps a database from being served, in a sentence that says what to do. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError'
}

type Login = { name: string; superuser: boolean; canPrepare: boolean }

/**
 * Prepares the database and answers the address to serve with.
 * Throws `DatabaseSetupError`, `DatabaseUnavailable`, and what `migrate` throws.
 */
export async function preparePostgres(options: {
  readonly url: string
  readonly directUrl: string | null
  readonly allowSuperuser: boolean
  readonly jwtSecret: string
}): Promise<string> {
  const owner = await connectOwner(options.directUrl ?? options.url)
  try {
    const login = await readLogin(owner)
    if (login.superuser && !options.allowSuperuser) {
      throw new DatabaseSetupError(
        `The login ${login.name} is a superuser. Give DATABASE_URL one with CREATEROLE and BYPASSRLS that owns the database, ` +
          'or set DATABASE_ALLOW_SUPERUSER=true to prepare the database with it; requests never run as it.',
      )
    }
    if (login.canPrepare) {
      await migrate(owner)
      if (options.directUrl !== null) return options.url
      return await leastPrivilegedUrl(owner, options.url, options.jwtSecret)
    }
    await refuseUnprepared(owner, login)
    return options.url
  } finally {
    await owner.close()
  }
}

async function readLogin(owner: Owner): Promise<Login> {
  const [login] = await owner.query<Login>(sql`
    select rolname as name, rolsuper as superuser, rolsuper or (rolcreaterole and rolbypassrls) as "canPrepare"
    from pg_roles where rolname = session_user`)
  if (login === undefined) throw new DatabaseSetupError('The database does not know the login it was given.')
  return login
}

/** Several servers derive the same password from the secret that they share. */
async function leastPrivilegedUrl(owner: Owner, url: string, jwtSecret: string): Promise<string> {
  const password = createHmac('sha256', jwtSecret).update('authenticator').digest('base64url')
  await owner.script(`alter role authenticator password '${password}'`)
  const serving = new URL(url)
  serving.username = 'authenticator'
  serving.password = password
  return serving.href
}

async function refuseUnprepared(owner: Owner, login: Login): Promise<void> {
  try {
    await owner.query(sql`select auth.uid()`)
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    throw new DatabaseSetupError(
      `The database is not prepared, and ${login.name} may not do it. Set DATABASE_DIRECT_URL to its owner's address ` +
        '(CREATEROLE and BYPASSRLS).',
      { cause: error },
    )
  }
}
