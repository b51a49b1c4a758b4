/**
 * From the operator's addresses to a login that may serve (product-decisions §9). Where the given login
 * may create roles and schemas, the database is prepared with it and served as the least-privileged one.
 */
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type Owner, SqlError, sql } from './database.ts'
import { type Prefix, migrate, refuseNewer } from './migrate.ts'
import { answersThroughPooler, connectOwner, type PostgresAddress } from './postgres.ts'

/** What keeps a database from being served, in a sentence that says what to do. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError'
}

/** The role that serves where the operator gave the owner's login. */
const servingRole = 'authenticator'

type Login = {
  readonly name: string
  readonly superuser: boolean
  readonly canPrepare: boolean
  /** What preparing takes and it does not have, as PostgreSQL calls it; empty where there is nothing. */
  readonly lacking: string
  readonly ownsDatabase: boolean
  /** What it has that serving does not take, as PostgreSQL calls it; empty where there is nothing. */
  readonly surplus: string
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
}): Promise<PostgresAddress> {
  const owner = await connectOwner(options.directUrl ?? options.url)
  try {
    const login = await readLogin(owner)
    refuseSuperuser(login, options)
    if (login.canPrepare && options.directUrl === null) await refusePooler(options.url)
    await refuseUnfinishedRestore(owner)
    if (login.canPrepare) await migratePostgres(owner)
    else await refuseUnprepared(owner, login)
    const url = await servingUrl(owner, login, options)
    await refuseSurplus(url)
    const isPooled = await answersThroughPooler(url)
    return { url, isPooled, listenUrl: options.directUrl ?? (isPooled ? null : url) }
  } finally {
    await owner.close()
  }
}

async function servingUrl(
  owner: Owner,
  login: Login,
  options: { url: string; directUrl: string | null; jwtSecret: string },
): Promise<string> {
  if (options.directUrl === null) {
    return login.canPrepare ? await leastPrivilegedUrl(owner, options.url, options.jwtSecret) : options.url
  }
  const { username, password } = new URL(options.url)
  // The role is ours to make: it gets the password that the operator, and their pooler, know it by.
  if (login.canPrepare && username === servingRole) await setPassword(owner, decodeURIComponent(password))
  return options.url
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
    if (!login.canPrepare) throw mayNotPrepare(login)
    return owner
  } catch (error) {
    await owner.close()
    throw error
  }
}

function mayNotPrepare({ name, lacking, ownsDatabase }: Login): DatabaseSetupError {
  // An owner lacks an attribute; any other login is the wrong one.
  return new DatabaseSetupError(
    ownsDatabase || lacking === 'BYPASSRLS'
      ? `A ${name} le falta ${lacking.replace(' ', ' y ')} para preparar la base de datos. ` +
          `Como superusuario de PostgreSQL: alter role ${name} ${lacking.toLowerCase()};`
      : `La base de datos no está preparada, y ${name} no puede prepararla. ` +
          'Pon en DATABASE_DIRECT_URL la dirección de su dueño (CREATEROLE y BYPASSRLS).',
  )
}

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
    'Una restauración en esta base de datos quedó a medias. Repite npm run restore con la misma copia, o borra la base de datos y créala de nuevo.',
  )
}

function refuseSuperuser(login: Login, { allowSuperuser }: { allowSuperuser: boolean }): void {
  if (!login.superuser || allowSuperuser) return
  throw new DatabaseSetupError(
    `${login.name} es un superusuario. Pon en DATABASE_URL el dueño de la base de datos, con CREATEROLE y BYPASSRLS; ` +
      'o DATABASE_ALLOW_SUPERUSER=true para prepararla con él: ninguna petición corre como superusuario.',
  )
}

/** The lock of the migrations belongs to a connection, and a pooler hands out another one for each statement. */
async function refusePooler(url: string): Promise<void> {
  if (!(await answersThroughPooler(url))) return
  throw new DatabaseSetupError(
    'En DATABASE_URL responde un pooler. Pon en DATABASE_DIRECT_URL la dirección del dueño sin pasar por él, ' +
      `y en DATABASE_URL el usuario ${servingRole} con una contraseña que tú elijas.`,
  )
}

/** Requests run as nobody who could do more than become the roles of requests, whoever made that login. */
async function refuseSurplus(url: string): Promise<void> {
  const serving = await connectOwner(url)
  try {
    const { name, surplus } = await readLogin(serving)
    if (surplus === '') return
    throw new DatabaseSetupError(
      `Las peticiones correrían como ${name}, que puede más de lo que hace falta: ${surplus}. ` +
        `Pon en DATABASE_URL el usuario ${servingRole}, o quita DATABASE_DIRECT_URL y pon en DATABASE_URL el dueño.`,
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

/** Several servers derive the same password from the secret that they share. */
async function leastPrivilegedUrl(owner: Owner, url: string, jwtSecret: string): Promise<string> {
  const password = createHmac('sha256', jwtSecret).update(servingRole).digest('base64url')
  await setPassword(owner, password)
  const serving = new URL(url)
  serving.username = servingRole
  serving.password = password
  return serving.href
}

async function setPassword(owner: Owner, password: string): Promise<void> {
  const literal = `'${password.replaceAll("'", "''")}'`
  await whileOthersChangeRoles(() => owner.script(`alter role ${servingRole} password ${literal}`))
}

async function refuseUnprepared(owner: Owner, login: Login): Promise<void> {
  try {
    await owner.query(sql`select auth.uid()`)
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    throw mayNotPrepare(login)
  }
  // A pooler keeps to one connection for as long as the transaction lasts.
  await owner.script('begin; set local role supabase_auth_admin')
  await refuseNewer(owner)
  await owner.script('commit')
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
