/**
 * Migrates a database. First creates the objects that a hosted project already has (`platform/*.sql`), then applies the
 * product's migrations. Files are applied in the order of their names, each in one database transaction. The product's
 * migrations are recorded in the table that the Supabase CLI uses, so that both tools can manage the same database.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Owner, sql } from './database.ts'
import { prepareServingLogin } from './scope.ts'

export type Released = { readonly version: string; readonly name: string; readonly text: string }

/**
 * Another release has migrated the database. This release must not use the database, because it could write data that
 * the other release does not expect.
 */
export class ForeignDatabase extends Error {
  override readonly name = 'ForeignDatabase'
}

/** Tells an operator how to go on with a bank or a backup of a state between two releases. */
export const unreleasedState =
  'Si no cambiaste archivos, ninguna versión publicada puede abrirla: sigue con el programa que la creó, o empieza un banco nuevo ' +
  '(docs/es/actualizar.md, "Un banco de un estado que no se publicó").'

/** The text of an applied migration differs from its file. */
export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged'
}

const platformFolder = fileURLToPath(new URL('platform', import.meta.url))
const productFolder = fileURLToPath(new URL('../../supabase/migrations', import.meta.url))

/** Migrations of a release, oldest first. */
export type Release = { readonly platform: readonly Released[]; readonly product: readonly Released[] }

/** All migrations of this release, oldest first. */
export function releasedMigrations(): Release {
  return { platform: readMigrations(platformFolder), product: readMigrations(productFolder) }
}

/** Returns the version and the name of this release's newest product migration. */
export function newestMigration(): string {
  const { version = '', name = '' } = releasedMigrations().product.at(-1) ?? {}
  return `${version}_${name}`
}

/** The versions of the migrations to apply. All other migrations are skipped. */
export type Prefix = { readonly platform: readonly string[]; readonly product: readonly string[] }

/**
 * Applies the missing migrations and returns their names. Several servers may call this function at the same time.
 * Throws `SqlError` when a file fails; the changes of this file are then rolled back. Throws `MigrationChanged` when an
 * applied migration differs from its file. Throws `ForeignDatabase` before anything is applied. With `only`, applies
 * just the migrations of an older release: a restore needs the schema in which the backup was made.
 */
export async function migrate(
  owner: Owner,
  only: Prefix | null = null,
  released: Release = releasedMigrations(),
): Promise<string[]> {
  // If the process ends early, closing the connection releases the lock.
  await owner.query(sql`select pg_advisory_lock(hashtext('finanzas.migrations'))`)
  try {
    await owner.script(bookkeeping)
    await refuseForeign(owner, released)
    const isWanted = (versions: readonly string[] | undefined) => (migration: Released) =>
      versions?.includes(migration.version) ?? true
    const platform = released.platform.filter(isWanted(only?.platform))
    const product = released.product.filter(isWanted(only?.product))
    const applied = [
      ...(await applyMissing(owner, platform, 'platform_migrations')),
      ...(await applyMissing(owner, product, 'schema_migrations')),
    ]
    await owner.query(sql`select realtime.capture_published_tables()`)
    await owner.query(prepareServingLogin)
    return applied
  } finally {
    await owner.query(sql`select pg_advisory_unlock(hashtext('finanzas.migrations'))`)
  }
}

/** Checks whether every migration of this release has been applied. */
export async function isUpToDate(owner: Owner): Promise<boolean> {
  const { platform, product } = releasedMigrations()
  return (
    missing(platform, await appliedIn(owner, 'platform_migrations')).length === 0 &&
    missing(product, await appliedIn(owner, 'schema_migrations')).length === 0
  )
}

/** Throws `ForeignDatabase` if the database contains migrations that this release lacks. */
export async function refuseForeign(
  owner: Owner,
  { platform, product }: Release = releasedMigrations(),
): Promise<void> {
  const unknownProduct = missing(await appliedIn(owner, 'schema_migrations'), product)
  const unknown = [...missing(await appliedIn(owner, 'platform_migrations'), platform), ...unknownProduct]
  if (unknown.length === 0) return
  // From release 0.4.0 on, the versions of a release's new migrations are higher than all versions of the previous
  // release. The versions of earlier releases were lower.
  const last = product.at(-1)?.version ?? ''
  if (unknownProduct.some(({ version }) => version < last))
    throw new ForeignDatabase(
      `Esta base de datos es de un estado de Finanzas anterior a la 0.4.0, la primera versión publicada. ${unreleasedState}`,
    )
  const names = unknown.map(({ version, name }) => `${version}_${name}`).join(', ')
  throw new ForeignDatabase(
    `Una versión más nueva de Finanzas ya migró esta base de datos (${names}). ` +
      'Usa esa versión o una posterior; o esta, con una copia de antes (npm run restore) en un lugar vacío.',
  )
}

/** Returns the migrations in `from` that are missing in `among`. */
function missing(from: readonly Applied[], among: readonly Applied[]): Applied[] {
  const versions = new Set(among.map(({ version }) => version))
  return from.filter(({ version }) => !versions.has(version))
}

/** The tables that record applied migrations: one for the platform, and the Supabase CLI's table for the product. */
export type MigrationTable = 'platform_migrations' | 'schema_migrations'

type Applied = { readonly version: string; readonly name: string }

/** Returns the applied migrations, oldest first. Reads only the columns that the serving login may read. */
function appliedIn(owner: Owner, table: MigrationTable): Promise<Applied[]> {
  return owner.query<Applied>({
    text: `select version, coalesce(name, '') as name
           from supabase_migrations.${table} order by version collate "C"`,
    values: [],
  })
}

/**
 * Returns the text of each applied migration. The text is `null` if the CLI applied the migration, because the CLI
 * stores separate statements instead of the file's text.
 */
export function appliedTextsIn(
  owner: Owner,
  table: MigrationTable,
): Promise<(Applied & { readonly text: string | null })[]> {
  return owner.query({
    text: `select version, coalesce(name, '') as name,
             case when cardinality(statements) = 1 then statements[1] end as text
           from supabase_migrations.${table} order by version collate "C"`,
    values: [],
  })
}

const bookkeeping = `
  create schema if not exists supabase_migrations;
  create table if not exists supabase_migrations.schema_migrations (
    version text primary key, statements text[], name text
  );
  create table if not exists supabase_migrations.platform_migrations (
    version text primary key, statements text[], name text
  );`

async function applyMissing(
  owner: Owner,
  migrations: readonly Released[],
  table: MigrationTable,
): Promise<string[]> {
  const applied = new Map((await appliedTextsIn(owner, table)).map(({ version, text }) => [version, text]))
  const names: string[] = []
  for (const migration of migrations) {
    const known = applied.get(migration.version)
    if (known === undefined) {
      await owner.script(scriptOf(migration, table))
      names.push(migration.name)
    } else if (known !== null && known !== migration.text) {
      throw new MigrationChanged(
        `La migración ${migration.version}_${migration.name} se aplicó a esta base de datos con otro texto: la creó un estado de Finanzas ` +
          `que no se publicó, o alguien cambió el archivo. No se escribió nada. ${unreleasedState}`,
      )
    }
  }
  return names
}

/** Reads all migrations in a folder (`<version>_<name>.sql`), oldest first. */
function readMigrations(folder: string): Released[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const [, version = '', name = ''] = /^(\d+)_(.*)\.sql$/.exec(file) ?? []
      return { version, name, text: readFileSync(join(folder, file), 'utf8') }
    })
}

/**
 * Returns one script that contains the file and the statement that records it, because one script runs as one database
 * transaction.
 */
function scriptOf({ version, name, text }: Released, table: MigrationTable): string {
  const tag = `$finanzas_${version}$`
  return `${text}\n;insert into supabase_migrations.${table} (version, name, statements)
    values ('${version}', '${name}', array[${tag}${text}${tag}]);`
}
