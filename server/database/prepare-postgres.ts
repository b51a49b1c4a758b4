/**
 * From the operator's addresses to a login that may serve (product-decisions §9). Where the given login
 * may create roles and schemas, the database is prepared with it and served as the least-privileged one.
 */
import { AnotherSecret, openDataKey } from './data-key.ts'
import { type Owner, SqlError, sql } from './database.ts'
import { type Prefix, isUpToDate, migrate } from './migrate.ts'
import { answersThroughPooler, connectOwner, mayLogIn, type PostgresAddress } from './postgres.ts'
import { whileOthersChangeRoles } from './role-changes.ts'
import { type ServingLogin, admit, derivedPassword, servingLoginOf } from './serving-login.ts'

/** What keeps a database from being served, in a sentence that says what to do. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError'
}

type Login = {
  readonly name: string
  readonly superuser: boolean
  readonly canPrepare: boolean
  /** What it has that serving does not take, as PostgreSQL calls it; empty where there is nothing. */
  readonly surplus: string
}

/** A database that is prepared. */
export type PreparedPostgres = PostgresAddress & {
  /** The key of what is kept sealed; `null` where only the serving login may ask for it. */
  readonly dataKey: string | null
  /** The login that serves, where the owner's address is known and the role is ours to make; otherwise `null`. */
  readonly login: ServingLogin | null
}

/**
 * Prepares the database and answers where to serve from.
 * Throws `DatabaseSetupError`, `DatabaseUnavailable`, and what `migrate` throws.
 */
export async function preparePostgres(options: {
  readonly url: string
  readonly directUrl: string | null
  readonly allowSuperuser: boolean
  readonly jwtSecret: string
  readonly acceptedSecret?: string | null
}): Promise<PreparedPostgres> {
  const { jwtSecret, acceptedSecret = null } = options
  const owner = await connectOwner(options.directUrl ?? options.url)
  try {
    const login = await readLogin(owner)
    refuseSuperuser(login, options)
    if (login.canPrepare && options.directUrl === null) await refusePooler(options.url)
    await refuseUnfinishedRestore(owner)
    if (!login.canPrepare) {
      await refuseUnprepared(owner, login)
      return { ...(await servedFrom(options.url, options)), dataKey: null, login: null }
    }
    await migratePostgres(owner)
    const dataKey = await refusingAnotherSecret(() =>
      openDataKey(
        (statement) => owner.query(statement),
        { jwtSecret, acceptedSecret },
        { isOnlyServer: false },
      ),
    )
    const serving = await servingLogin(owner, options, dataKey)
    if (serving !== null) await admitAtStart(owner, serving)
    else await refuseStranger(owner, options)
    return { ...(await servedFrom(serving?.url ?? options.url, options)), dataKey, login: serving }
  } finally {
    await owner.close()
  }
}

async function servedFrom(
  url: string,
  { directUrl }: { directUrl: string | null },
): Promise<PostgresAddress> {
  await refuseSurplus(url)
  const isPooled = await answersThroughPooler(url)
  return { url, isPooled, listenUrl: directUrl ?? (isPooled ? null : url) }
}

/** The login by its addresses; `null` for one that the operator made, which serves as it stands. */
async function servingLogin(
  owner: Owner,
  { url, directUrl }: { url: string; directUrl: string | null },
  dataKey: string,
): Promise<ServingLogin | null> {
  const name = await servingLoginOf(owner)
  if (directUrl === null) {
    const own = withLogin(url, { username: name, password: derivedPassword(dataKey) })
    return { name, url: own, directUrl: own }
  }
  const { username, password } = new URL(url)
  if (decodeURIComponent(username) !== name) return null
  return { name, url, directUrl: withLogin(directUrl, { username, password }) }
}

function withLogin(url: string, login: { username: string; password: string }): string {
  return Object.assign(new URL(url), login).href
}

async function admitAtStart(owner: Owner, login: ServingLogin): Promise<void> {
  if ((await admit(owner, login)) !== 'others have another password') return
  throw new DatabaseSetupError(
    `The database refuses the password with which this server would log in as ${login.name}, and others are logged in with another one. ` +
      'Give this server the DATABASE_URL of the others, or stop them first (docs/operations.md, "A pooler").',
  )
}

/** A login that the server does not make must be there, and be let in. */
async function refuseStranger(
  owner: Owner,
  { url, directUrl }: { url: string; directUrl: string | null },
): Promise<void> {
  const { username, password } = new URL(url)
  if (await mayLogIn(withLogin(directUrl ?? url, { username, password }))) return
  throw new DatabaseSetupError(
    `The database does not let ${decodeURIComponent(username)} in. Give DATABASE_URL the login ${await servingLoginOf(owner)}, ` +
      'which the server makes, with a password of your choice.',
  )
}

/** What opens the bank's key, with a refusal that the operator reads. */
export async function refusingAnotherSecret<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw error instanceof AnotherSecret ? new DatabaseSetupError(error.message, { cause: error }) : error
  }
}

/**
 * Connects as a login that may make everything anew, to load a backup. Throws `DatabaseSetupError` for one
 * that may not, and `DatabaseUnavailable`.
 */
export async function connectPreparing(options: {
  readonly url: string
  readonly directUrl: string | null
  readonly allowSuperuser: boolean
}): Promise<Owner> {
  const owner = await connectOwner(options.directUrl ?? options.url)
  try {
    const login = await readLogin(owner)
    refuseSuperuser(login, options)
    if (!login.canPrepare) throw new DatabaseSetupError(`The login ${login.name} ${mayNotPrepare}`)
    return owner
  } catch (error) {
    await owner.close()
    throw error
  }
}

const mayNotPrepare =
  'may not prepare a database. Give DATABASE_URL or DATABASE_DIRECT_URL one with CREATEROLE and BYPASSRLS that owns it.'

/** `migrate`, while servers of other databases of the cluster may do the same. */
export function migratePostgres(owner: Owner, only: Prefix | null = null): Promise<string[]> {
  return whileOthersChangeRoles(() => migrate(owner, only))
}

/** While this table is there, a restore is not complete and nobody may be served. */
export const unfinishedRestore = 'finanzas_restore.unfinished'

async function refuseUnfinishedRestore(owner: Owner): Promise<void> {
  const [answer] = await owner.query<{ isUnfinished: boolean }>(sql`
    select to_regclass(${unfinishedRestore}) is not null as "isUnfinished"`)
  if (answer?.isUnfinished !== true) return
  throw new DatabaseSetupError(
    'A restore into this database was broken off. Run npm run restore with the same backup again, or drop the database and create it anew.',
  )
}

/** Refuses to work on a bank that no server of this release has served yet. Changes nothing. */
export async function refuseUnserved(ownerUrl: string): Promise<void> {
  const owner = await connectOwner(ownerUrl)
  try {
    await refuseUnfinishedRestore(owner)
    const login = await readLogin(owner)
    // The login that serves may not read which migrations there are.
    if (!login.canPrepare || (await isUpToDate(owner))) return
    throw new DatabaseSetupError(
      'The bank has not been served by this release yet. Start a server of it first, or run the command of the former release.',
    )
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

/** The lock of the migrations belongs to a connection, and a pooler hands out another one for each statement. */
async function refusePooler(url: string): Promise<void> {
  if (!(await answersThroughPooler(url))) return
  throw new DatabaseSetupError(
    `A pooler answers at DATABASE_URL. Set DATABASE_DIRECT_URL to the owner's address past it, and give DATABASE_URL ` +
      `the login authenticator_DATABASE (docs/operations.md, "A pooler").`,
  )
}

/** Requests run as nobody who could do more than become the roles of requests, whoever made that login. */
async function refuseSurplus(url: string): Promise<void> {
  const serving = await connectOwner(url)
  try {
    const { name, surplus } = await readLogin(serving)
    if (surplus === '') return
    throw new DatabaseSetupError(
      `Requests would be served by the login ${name}, which has more than that takes: ${surplus}. ` +
        `Give DATABASE_URL the login authenticator_DATABASE, or leave DATABASE_DIRECT_URL away and give DATABASE_URL the owner's.`,
    )
  } finally {
    await serving.close()
  }
}

async function readLogin(owner: Owner): Promise<Login> {
  const [login] = await owner.query<Login>(sql`
    select r.rolname as name, r.rolsuper as superuser,
      r.rolsuper or (r.rolcreaterole and r.rolbypassrls) as "canPrepare",
      concat_ws(', ',
        case when r.rolsuper then 'SUPERUSER' end,
        case when r.rolcreaterole then 'CREATEROLE' end,
        case when r.rolcreatedb then 'CREATEDB' end,
        case when r.rolbypassrls then 'BYPASSRLS' end,
        case when r.rolreplication then 'REPLICATION' end,
        case when r.rolinherit then 'INHERIT' end,
        case when exists (
          select from pg_shdepend d
          where d.refclassid = 'pg_authid'::regclass and d.refobjid = r.oid and d.deptype = 'o'
        ) then 'objects of its own' end
      ) as surplus
    from pg_roles r where r.rolname = session_user`)
  if (login === undefined) throw new DatabaseSetupError('The database does not know the login it was given.')
  return login
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
