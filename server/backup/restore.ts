/**
 * Restores a backup into an empty directory or database. After an interrupted restore, servers refuse to serve the
 * incomplete bank, and the operator can repeat the restore.
 */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { engineDirectoryOf, restoringDirectory } from '#data-directory/data-directory.ts'
import { moveDurably } from '#data-directory/durable-files.ts'
import { initialiseEngine } from '#database/pglite/engine-directory.ts'
import {
  type Database,
  type Owner,
  type RowsOf,
  type Scope,
  type SqlStatement,
  sql,
} from '#database/database.ts'
import { type Release, migrate, releasedMigrations } from '#database/migrate.ts'
import { openPglite } from '#database/pglite/pglite.ts'
import { connectPreparing, migratePostgres, unfinishedRestore } from '#database/postgres/prepare.ts'
import { describeBroken, verifyLedger } from '#ledger/verify.ts'
import { loadBackup } from './load.ts'
import { checkBackup } from './read-file.ts'
import { BackupRefused, type Manifest } from './manifest.ts'

/** An empty `DATA_DIR` that the caller has locked, or an empty database on PostgreSQL. */
export type RestoreTarget =
  | { readonly engine: 'pglite'; readonly dataDir: string }
  | {
      readonly engine: 'postgres'
      readonly url: string
      readonly directUrl: string | null
      readonly allowSuperuser: boolean
    }

/**
 * Checks the whole file, loads it and verifies the ledger; returns the file's manifest. `signedBy` is the fingerprint
 * of the expected signing key, and `null` accepts any key. Throws `BackupRefused` before it writes anything if the
 * target is not empty, if the file is damaged or newer than this release, or if another key signed the file. The backup
 * is loaded with its own migrations; the newer migrations of `release` follow.
 */
export async function restoreBackup(
  target: RestoreTarget,
  path: string,
  options: { readonly signedBy: string | null; readonly release?: Release },
): Promise<Manifest> {
  const { signedBy, release = releasedMigrations() } = options
  return target.engine === 'pglite'
    ? restoreEmbedded(target.dataDir, path, { signedBy, release })
    : restorePostgres(target, path, { signedBy, release })
}

type Options = { readonly signedBy: string | null; readonly release: Release }

/** Throws `BackupRefused` when the target already has a bank. */
export async function refuseOccupied(target: RestoreTarget): Promise<void> {
  if (target.engine === 'pglite') return refuseBankIn(target.dataDir)
  const owner = await connectPreparing(target)
  try {
    if ((await readUnfinished(owner)) === null) await refuseFull(owner)
  } finally {
    await owner.close()
  }
}

function refuseBankIn(dataDir: string): void {
  const engineDirectory = engineDirectoryOf(dataDir)
  if (!existsSync(engineDirectory) || readdirSync(engineDirectory).length === 0) return
  throw new BackupRefused(
    `Ya hay un banco en ${dataDir}. Usa otro DATA_DIR, o mueve ${engineDirectory} a otro lugar primero.`,
  )
}

async function restoreEmbedded(
  dataDir: string,
  path: string,
  { signedBy, release }: Options,
): Promise<Manifest> {
  const engineDirectory = engineDirectoryOf(dataDir)
  refuseBankIn(dataDir)
  const manifest = await checkBackup(path, signedBy)
  const restoring = restoringDirectory(dataDir)
  // While this directory exists, a server refuses to start in the data directory.
  mkdirSync(restoring, { recursive: true, mode: 0o700 })
  const growing = engineDirectoryOf(restoring)
  rmSync(growing, { recursive: true, force: true })
  await initialiseEngine(growing)
  const { database, owner } = await openPglite(growing)
  try {
    await migrate(owner, prefixOf(manifest), release)
    await loadBackup(owner, path, manifest)
    await migrate(owner, null, release)
    await refuseBrokenLedger(owner)
    await owner.query(sql`vacuum (analyze)`)
    await owner.query(sql`checkpoint`)
  } finally {
    await database.close()
  }
  rmSync(engineDirectory, { recursive: true, force: true })
  moveDurably(growing, engineDirectory)
  rmSync(restoring, { recursive: true, force: true })
  return manifest
}

async function restorePostgres(
  target: Extract<RestoreTarget, { engine: 'postgres' }>,
  path: string,
  { signedBy, release }: Options,
): Promise<Manifest> {
  const owner = await connectPreparing(target)
  try {
    await refuseAnotherRestore(owner)
    const begun = await readUnfinished(owner)
    if (begun === null) await refuseFull(owner)
    const manifest = await checkBackup(path, signedBy)
    if (begun !== null && begun.backup !== manifest.body.sha256) {
      throw new BackupRefused(
        'En esta base de datos se interrumpió la restauración de otra copia. Repite aquella, o elimina la base y créala de nuevo.',
      )
    }
    if (begun === null) await markUnfinished(owner, manifest)
    if (begun?.isLoaded !== true) {
      await migratePostgres(owner, prefixOf(manifest), release)
      await loadBackup(owner, path, manifest, `update ${unfinishedRestore} set is_loaded = true`)
    }
    await migratePostgres(owner, null, release)
    await refuseBrokenLedger(owner)
    await owner.script(`drop schema finanzas_restore cascade`)
    await owner.query(sql`analyze`)
    return manifest
  } finally {
    await owner.close()
  }
}

function prefixOf({ migrations }: Manifest) {
  return {
    platform: migrations.platform.map(({ version }) => version),
    product: migrations.product.map(({ version }) => version),
  }
}

async function refuseAnotherRestore(owner: Owner): Promise<void> {
  const [answer] = await owner.query<{ isMine: boolean }>(sql`
    select pg_try_advisory_lock(hashtext('finanzas.restore')) as "isMine"`)
  if (answer?.isMine !== true)
    throw new BackupRefused('Ya se está restaurando otra copia en esta base de datos.')
}

async function refuseFull(owner: Owner): Promise<void> {
  const [found] = await owner.query<{ name: string }>(sql`
    select c.oid::regclass::text as name
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
    order by 1 limit 1`)
  if (found === undefined) return
  throw new BackupRefused(`La base de datos no está vacía: tiene ${found.name}. Usa una nueva y vacía.`)
}

async function readUnfinished(owner: Owner): Promise<{ backup: string; isLoaded: boolean } | null> {
  const [answer] = await owner.query<{ isThere: boolean }>(sql`
    select to_regclass(${unfinishedRestore}) is not null as "isThere"`)
  if (answer?.isThere !== true) return null
  const [begun] = await owner.query<{ backup: string; isLoaded: boolean }>({
    text: `select backup, is_loaded as "isLoaded" from ${unfinishedRestore}`,
    values: [],
  })
  return begun ?? null
}

async function markUnfinished(owner: Owner, { body }: Manifest): Promise<void> {
  if (!/^[0-9a-f]{64}$/.test(body.sha256)) throw new TypeError('A SHA-256 is 64 hexadecimal digits.')
  await owner.script(`
    create schema finanzas_restore;
    create table ${unfinishedRestore} (backup text not null, is_loaded boolean not null default false);
    comment on table ${unfinishedRestore} is 'Exists only while a backup is loaded. The server refuses to serve the bank during this time.';
    insert into ${unfinishedRestore} (backup) values ('${body.sha256}');`)
}

/**
 * Throws `BackupRefused` if the ledger is inconsistent. The error names the first inconsistent entry and its customer.
 */
async function refuseBrokenLedger(owner: Owner): Promise<void> {
  const { broken } = await verifyLedger(withOwnersRights(owner))
  if (broken === null) return
  throw new BackupRefused(
    `El libro de esta copia no es correcto: ${describeBroken(broken)}. No se pone en servicio; usa una copia anterior.`,
  )
}

/** Returns a database whose transactions run as the owner, because the bank does not have a login for servers yet. */
export function withOwnersRights(owner: Owner): Pick<Database, 'transaction'> {
  return {
    async transaction<const S extends readonly SqlStatement<unknown>[]>(_scope: Scope, statements: S) {
      const rows: unknown[][] = []
      for (const statement of statements) rows.push(await owner.query(statement))
      return rows as RowsOf<S>
    },
  }
}
