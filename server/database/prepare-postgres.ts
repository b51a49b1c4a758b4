/**
 * From the operator's addresses to a login that may serve (product-decisions §9). Where the given login
 * may create roles and schemas, the database is prepared with it and served as the least-privileged one.
 */
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
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
    refuseSuperuser(login, options)
    if (login.canPrepare) await whileOthersChangeRoles(() => migrate(owner))
    else await refuseUnprepared(owner, login)
    if (options.directUrl !== null) return await unprivileged(options)
    return login.canPrepare ? await leastPrivilegedUrl(owner, options.url, options.jwtSecret) : options.url
  } finally {
    await owner.close()
  }
}

function refuseSuperuser(login: Login, { allowSuperuser }: { allowSuperuser: boolean }): void {
  if (!login.superuser || allowSuperuser) return
  throw new DatabaseSetupError(
    `The login ${login.name} is a superuser. Give DATABASE_URL one with CREATEROLE and BYPASSRLS that owns the database, ` +
      'or set DATABASE_ALLOW_SUPERUSER=true to prepare the database with it; requests never run as it.',
  )
}

/** The serving login that the operator chose, once it is known to be no superuser. */
async function unprivileged(options: { url: string; allowSuperuser: boolean }): Promise<string> {
  const serving = await connectOwner(options.url)
  try {
    refuseSuperuser(await readLogin(serving), options)
    return options.url
  } finally {
    await serving.close()
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
  await whileOthersChangeRoles(() => owner.script(`alter role authenticator password '${password}'`))
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

/** How often a change of roles is tried again, and how long at most it waits each time. */
const roleChangesMax = 10
const roleChangeWaitMs = 200

/**
 * Roles belong to the cluster, and no lock that a database has guards them: where servers of two databases
 * start at one moment, PostgreSQL tells one of them that somebody else was changing the same role.
 */
async function whileOthersChangeRoles<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change()
    } catch (error) {
      const isTheirs = error instanceof SqlError && error.message === 'tuple concurrently updated'
      if (!isTheirs || attempt === roleChangesMax) throw error
      await setTimeout(Math.random() * roleChangeWaitMs)
    }
  }
}
