/** A later release, for tests of upgrades and of restored backups. */
import { type Release, type Released, releasedMigrations } from '#server/database/migrate.ts'

const later = (version: string, text: string): Released => ({ version, name: 'later', text })
/**
 * Migrations of a later release. These migrations add columns to tables that contain rows, update rows and create a
 * table.
 */
export const addedMigrations: Release = {
  platform: [later('9000', `alter table auth.users add column later text not null default 'x'`)],
  product: [
    later(
      '29990101000000',
      'alter table public.budgets add column later numeric; update public.budgets set later = balance',
    ),
    later(
      '29990102000000',
      `create table ledger.later as select user_id, max(seq) as seq from ledger.journal group by user_id;
       alter table ledger.later add primary key (user_id)`,
    ),
  ],
}
/** Returns this release together with the later migrations. */
export function nextRelease(): Release {
  const { platform, product } = releasedMigrations()
  return {
    platform: [...platform, ...addedMigrations.platform],
    product: [...product, ...addedMigrations.product],
  }
}
