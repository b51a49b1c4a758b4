/** Which migrations a bank has, and whether this release has them too. */
import { createHash } from 'node:crypto'
import type { Owner } from '#database/database.ts'
import { type Released, releasedMigrations } from '#database/migrate.ts'
import type { AppliedMigration, Manifest } from './manifest.ts'

/** What has been applied to this database, oldest first. */
export async function readAppliedMigrations(owner: Owner): Promise<Manifest['migrations']> {
  return {
    platform: await readBook(owner, 'platform_migrations'),
    product: await readBook(owner, 'schema_migrations'),
  }
}

/** The migrations of a backup that this release does not have, or has in another wording. */
export function unknownMigrations(migrations: Manifest['migrations']): string[] {
  const released = releasedMigrations()
  return [
    ...migrations.platform.filter((migration) => !isAmong(migration, released.platform)),
    ...migrations.product.filter((migration) => !isAmong(migration, released.product)),
  ].map(({ version, name }) => `${version}_${name}`)
}

async function readBook(
  owner: Owner,
  book: 'platform_migrations' | 'schema_migrations',
): Promise<AppliedMigration[]> {
  return owner.query<AppliedMigration>({
    // The CLI splits a file into statements: what it applied cannot be compared with the file.
    text: `select version, coalesce(name, '') as name,
             case when cardinality(statements) = 1 then encode(sha256(convert_to(statements[1], 'UTF8')), 'hex') end as sha256
           from supabase_migrations.${book} order by version collate "C"`,
    values: [],
  })
}

function isAmong(migration: AppliedMigration, released: readonly Released[]): boolean {
  const known = released.find(({ version }) => version === migration.version)
  if (known === undefined) return false
  return (
    migration.sha256 === null || migration.sha256 === createHash('sha256').update(known.text).digest('hex')
  )
}
