/**
 * Prepares the database with the operator's URLs and finds the login with which to serve requests. If the given login
 * may create roles and schemas, the server uses it only to prepare the database. The server then uses a separate login
 * with fewer privileges to serve requests.
 */
import { AnotherSecret, openDataKey } from '#database/data-key.ts'
import { type Owner, SqlError, sql } from '#database/database.ts'
import { refuseMovedDatabase } from '#database/moved.ts'
import { type Prefix, type Release, isUpToDate, migrate, refuseForeign } from '#database/migrate.ts'
import { answersThroughPooler, connectOwner, mayLogIn, type PostgresAddress } from './postgres.ts'
import {
  type ServingLogin,
  admit,
  derivedPassword,
  passwordMark,
  retryRoleChange,
  servingLoginOf,
} from './serving-login.ts'

/** The server cannot serve from this database. The message tells the operator why. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError'
}

type Login = {
  readonly name: string
  readonly superuser: boolean
  readonly canPrepare: boolean
  /** PostgreSQL's names for the privileges that the login lacks but needs to prepare the database; may be empty. */
  readonly lacking: string
  readonly ownsDatabase: boolean
  /** PostgreSQL's names for privileges that the login has but does not need for serving; may be empty. */
  readonly surplus: string
}

export type PreparedPostgres = PostgresAddress & {
  /** The data key; `null` if only the serving login can read the data key. */
  readonly dataKey: string | null
  /** The serving login. `null` if the owner's URL is unknown or the operator created the login. */
  readonly login: ServingLogin | null
}

/**
 * Prepares the database and returns the URLs with which to serve requests. Throws `DatabaseSetupError`, `BankMoved`,
 * `DatabaseUnavailable`, and errors of `migrate`.
 */
export async function preparePostgres(options: {
  readonly url: string
  readonly directUrl: string | null
  readonly allowSuperuser: boolean
  readonly jwtSecret: string
  readonly previousSecret?: string | null
}): Promise<PreparedPostgres> {
  const { jwtSecret, previousSecret = null } = options
  const owner = await connectOwner(options.directUrl ?? options.url)
  try {
    const login = await readLogin(owner)
    refuseSuperuser(login, options)
    if (login.canPrepare && options.directUrl === null) await refusePooler(options.url)
    await refuseUnfinishedRestore(owner)
    await refuseMovedDatabase(owner)
    if (!login.canPrepare) {
      await refuseUnprepared(owner, login)
      return { ...(await servedFrom(options.url, options)), dataKey: null, login: null }
    }
    await migratePostgres(owner)
    const dataKey = await refusingAnotherSecret(() =>
      openDataKey(
        (statement) => owner.query(statement),
        { jwtSecret, previousSecret },
        { isOnlyServer: false },
      ),
    )
    const serving = await servingLogin(owner, options, dataKey)
    if (serving !== null) await admitAtStart(owner, serving)
    else await requireLogin(owner, options)
    const address = await servedFrom(serving?.url ?? options.url, options)
    return { ...address, passwordMark: serving?.passwordMark ?? null, dataKey, login: serving }
  } finally {
    await owner.close()
  }
}

async function servedFrom(
  url: string,
  { directUrl }: { directUrl: string | null },
): Promise<PostgresAddress> {
  await refuseExcessPrivileges(url)
  const isPooled = await answersThroughPooler(url)
  return { url, isPooled, listenUrl: directUrl ?? (isPooled ? null : url) }
}

/**
 * Returns the serving login and the URLs with this login. Returns `null` if the operator has created another login for
 * serving, because the server does not change the operator's login.
 */
async function servingLogin(
  owner: Owner,
  { url, directUrl }: { url: string; directUrl: string | null },
  dataKey: string,
): Promise<ServingLogin | null> {
  const name = await servingLoginOf(owner)
  if (directUrl === null) {
    const password = derivedPassword(dataKey)
    const own = withLogin(url, { username: name, password })
    return { name, url: own, directUrl: own, passwordMark: passwordMark(password, dataKey) }
  }
  const { username, password } = new URL(url)
  if (decodeURIComponent(username) !== name) return null
  return {
    name,
    url,
    directUrl: withLogin(directUrl, { username, password }),
    passwordMark: passwordMark(decodeURIComponent(password), dataKey),
  }
}

function withLogin(url: string, login: { username: string; password: string }): string {
  return Object.assign(new URL(url), login).href
}

async function admitAtStart(owner: Owner, login: ServingLogin): Promise<void> {
  if ((await admit(owner, login)) !== 'others have another password') return
  throw new DatabaseSetupError(
    `La base de datos rechaza la contraseña de ${login.name}, y otros servidores están conectados con otra. ` +
      'Pon la DATABASE_URL de los demás, o detenlos primero (docs/es/servidores.md, "Un pooler").',
  )
}

/** Throws if the serving login that the operator created does not exist or cannot log in. */
async function requireLogin(
  owner: Owner,
  { url, directUrl }: { url: string; directUrl: string | null },
): Promise<void> {
  const { username, password } = new URL(url)
  if (await mayLogIn(withLogin(directUrl ?? url, { username, password }))) return
  throw new DatabaseSetupError(
    `La base de datos no deja entrar a ${decodeURIComponent(username)}. Pon en DATABASE_URL el usuario ${await servingLoginOf(owner)}, ` +
      'que el servidor crea, con una contraseña que tú elijas.',
  )
}

/** Converts `AnotherSecret` to an error whose message is for the operator. */
export async function refusingAnotherSecret<T>(open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw error instanceof AnotherSecret ? new DatabaseSetupError(error.message, { cause: error }) : error
  }
}

/**
 * Connects with a login that may create all objects, in order to load a backup. Throws `DatabaseSetupError` if the
 * login lacks these rights. Also throws `DatabaseUnavailable`.
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
    if (!login.canPrepare) throw mayNotPrepare(login)
    return owner
  } catch (error) {
    await owner.close()
    throw error
  }
}

function mayNotPrepare({ name, lacking, ownsDatabase }: Login): DatabaseSetupError {
  // If the login owns the database, only a role attribute is missing, and the operator can add it. If the login does
  // not own the database, the operator must use a different login to prepare the database.
  return new DatabaseSetupError(
    ownsDatabase || lacking === 'BYPASSRLS'
      ? `A ${name} le falta ${lacking.replace(' ', ' y ')} para preparar la base de datos. ` +
          `Como superusuario de PostgreSQL: alter role ${name} ${lacking.toLowerCase()};`
      : `La base de datos no está preparada, y ${name} no puede prepararla. ` +
          'Pon en DATABASE_DIRECT_URL la dirección de su dueño (CREATEROLE y BYPASSRLS).',
  )
}

/** Runs `migrate`, and retries if the server of another database in the cluster changes roles at the same time. */
export function migratePostgres(
  owner: Owner,
  only: Prefix | null = null,
  release?: Release,
): Promise<string[]> {
  return retryRoleChange(() => migrate(owner, only, release))
}

/** While this table exists, a restore is incomplete and servers must not serve from the database. */
export const unfinishedRestore = 'finanzas_restore.unfinished'

async function refuseUnfinishedRestore(owner: Owner): Promise<void> {
  const [answer] = await owner.query<{ isUnfinished: boolean }>(sql`
    select to_regclass(${unfinishedRestore}) is not null as "isUnfinished"`)
  if (answer?.isUnfinished !== true) return
  throw new DatabaseSetupError(
    'Una restauración en esta base de datos quedó a medias. Repite npm run restore con la misma copia, o borra la base de datos y créala de nuevo.',
  )
}

/** Throws if no server of this release has served the bank yet. Changes nothing. */
export async function refuseUnserved(ownerUrl: string): Promise<void> {
  const owner = await connectOwner(ownerUrl)
  try {
    await refuseUnfinishedRestore(owner)
    const login = await readLogin(owner)
    if (!login.canPrepare) return await refuseUnprepared(owner, login)
    await refuseForeign(owner)
    if (await isUpToDate(owner)) return
    throw new DatabaseSetupError(
      'Ningún servidor de esta versión ha atendido todavía este banco. Inicia uno primero, o usa la orden de la versión anterior.',
    )
  } finally {
    await owner.close()
  }
}

function refuseSuperuser(login: Login, { allowSuperuser }: { allowSuperuser: boolean }): void {
  if (!login.superuser || allowSuperuser) return
  throw new DatabaseSetupError(
    `${login.name} es un superusuario. Pon en DATABASE_URL el dueño de la base de datos, con CREATEROLE y BYPASSRLS; ` +
      'o DATABASE_ALLOW_SUPERUSER=true para prepararla con él: ninguna petición corre como superusuario.',
  )
}

/**
 * Refuses a pooler, because the migrations' lock belongs to one connection, and a pooler may use a different connection
 * for each statement.
 */
async function refusePooler(url: string): Promise<void> {
  if (!(await answersThroughPooler(url))) return
  throw new DatabaseSetupError(
    'En DATABASE_URL responde un pooler. Pon en DATABASE_DIRECT_URL la dirección del dueño sin pasar por él, ' +
      'y en DATABASE_URL el usuario authenticator_BASE con una contraseña que tú elijas (docs/es/servidores.md, "Un pooler").',
  )
}

/** Refuses to serve with a login that has any privileges besides membership in the request roles. */
async function refuseExcessPrivileges(url: string): Promise<void> {
  const serving = await connectOwner(url)
  try {
    const { name, surplus } = await readLogin(serving)
    if (surplus === '') return
    throw new DatabaseSetupError(
      `Las peticiones correrían como ${name}, que puede más de lo que hace falta: ${surplus}. ` +
        `Pon en DATABASE_URL el usuario authenticator_BASE, o quita DATABASE_DIRECT_URL y pon en DATABASE_URL el dueño.`,
    )
  } finally {
    await serving.close()
  }
}

async function readLogin(owner: Owner): Promise<Login> {
  const [login] = await owner.query<Login>(sql`
    select r.rolname as name, r.rolsuper as superuser,
      r.rolsuper or (r.rolcreaterole and r.rolbypassrls) as "canPrepare",
      concat_ws(' ',
        case when not r.rolcreaterole then 'CREATEROLE' end,
        case when not r.rolbypassrls then 'BYPASSRLS' end
      ) as lacking,
      exists (
        select from pg_database d where d.datname = current_database() and pg_has_role(r.oid, d.datdba, 'member')
      ) as "ownsDatabase",
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
        ) then 'objetos propios' end
      ) as surplus
    from pg_roles r where r.rolname = session_user`)
  if (login === undefined)
    throw new DatabaseSetupError('La base de datos no conoce al usuario con el que se entró.')
  return login
}

async function refuseUnprepared(owner: Owner, login: Login): Promise<void> {
  try {
    await owner.query(sql`select auth.uid()`)
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    throw mayNotPrepare(login)
  }
  // Even a pooler runs a whole transaction on one connection.
  await owner.script('begin; set local role supabase_auth_admin')
  await refuseForeign(owner)
  await owner.script('commit')
}
