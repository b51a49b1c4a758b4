/** Which migrations a bank has, and whether this release has them too. */
import { createHash } from 'node:crypto'
import type { Owner } from '#database/database.ts'
import { type MigrationTable, type Released, appliedTextsIn, releasedMigrations } from '#database/migrate.ts'
import type { AppliedMigration, Manifest } from './manifest.ts'

/** What has been applied to this database, oldest first. */
export async function readAppliedMigrations(owner: Owner): Promise<Manifest['migrations']> {
  return {
    platform: await recordedIn(owner, 'platform_migrations'),
    product: await recordedIn(owner, 'schema_migrations'),
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

async function recordedIn(owner: Owner, table: MigrationTable): Promise<AppliedMigration[]> {
  const applied = await appliedTextsIn(owner, table)
  return applied.map(({ version, name, text }) => ({
    version,
    name,
    sha256: text === null ? null : createHash('sha256').update(text).digest('hex'),
  }))
}

function isAmong(migration: AppliedMigration, released: readonly Released[]): boolean {
  const known = released.find(({ version }) => version === migration.version)
  if (known === undefined) return false
  return (
    migration.sha256 === null || migration.sha256 === createHash('sha256').update(known.text).digest('hex')
  )
}
