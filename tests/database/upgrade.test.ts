/**
 * Upgrades a bank of this release to a later release and interrupts the upgrade several times (security.md BK-04).
 * A released migration stays as it is: later releases only add new migrations.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { MigrationChanged, type Release, migrate, releasedMigrations } from '#server/database/migrate.ts'
import { sql } from '#server/database/database.ts'
import { withOwnersRights } from '#server/backup/restore.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { type Banks, type OpenBank, openBank, rowsOf } from './banks.ts'
import { openBanks } from './database.ts'
import { addedMigrations, nextRelease } from './next-release.ts'
import { fillRandomly } from './random-bank.ts'

let banks: Banks

beforeAll(async () => {
  banks = await openBanks()
})
afterAll(() => banks.removeAll())

test(
  'an upgrade that was killed at any step can be resumed without changes to the existing data',
  { timeout: 300_000 },
  async () => {
    const bank = await banks.newBank()
    await fillRandomly(bank.owner, 31)
    const before = await rowsOf(bank)
    await bank.close()
    const steps = 3

    // The first process is killed during the first migration. Each later process repeats the interrupted migration
    // and is killed during the next migration.
    let kills = 0
    while (kills <= steps && (await migrateAndDie(bank, kills === 0 ? 1 : 2))) kills += 1

    // PostgreSQL may complete a migration after its client was killed, and the test then kills fewer processes.
    expect(kills).toBeGreaterThanOrEqual(Math.ceil(steps / 2))
    expect(kills).toBeLessThanOrEqual(steps)
    const again = await openBank(bank.target)
    onTestFinished(() => again.close())
    expect(await migrate(again.owner, null, nextRelease())).toEqual([])
    expect(await rowsOf(again)).toMatchObject(before)
    const verdict = await verifyLedger(withOwnersRights(again.owner))
    expect(verdict.broken).toBeNull()
    expect(verdict.entries).toBeGreaterThan(0)
    await expect(migrate(again.owner)).rejects.toThrowError(/9000_later, 29990101000000_later/)
  },
)

test('a database whose migrations differ from the migrations of the release is refused before anything is written', async () => {
  const bank = await banks.newBank()
  const { platform, product } = releasedMigrations()
  const edited: Release = { platform, product: product.map((each) => ({ ...each, text: 'select 1' })) }

  await bank.owner.query(earlier)
  await expect(migrate(bank.owner)).rejects.toThrowError('anterior a la 0.4.0')
  await bank.owner.query(notEarlier)
  await expect(migrate(bank.owner, null, edited)).rejects.toThrowError(MigrationChanged)
  // The message must also be useful to an operator who has not edited any migration.
  await expect(migrate(bank.owner, null, edited)).rejects.toThrowError(/sigue con el programa que la creó/)

  expect(await migrate(bank.owner)).toEqual([])
  await bank.close()
})

/** A migration of the release 0.3.0. */
const earlier = sql`insert into supabase_migrations.schema_migrations (version, name) values ('20261122000200', 'users')`
const notEarlier = sql`delete from supabase_migrations.schema_migrations where version = '20261122000200'`

/**
 * Applies the missing migrations in a process that kills itself during migration number `dieAt`. Returns false if
 * the process exits normally.
 */
async function migrateAndDie({ source }: OpenBank, dieAt: number): Promise<boolean> {
  const [address, open] =
    source.engine === 'postgres'
      ? [source.ownerUrl, `(await import('#server/database/postgres/postgres.ts')).connectOwner(place)`]
      : [
          source.directory,
          `(await import('#server/database/pglite/pglite.ts')).openPglite(place).then((e) => e.owner)`,
        ]
  // The program is not an ES module, because the engine's worker thread would inherit the option
  // `--input-type=module` and fail.
  const program = `void (async () => {
    const { migrate, releasedMigrations } = await import('#server/database/migrate.ts')
    const [place, text] = process.argv.slice(1)
    const [now, added] = [releasedMigrations(), JSON.parse(text)]
    const release = { platform: [...now.platform, ...added.platform], product: [...now.product, ...added.product] }
    const owner = await ${open}
    const die = () => process.kill(process.pid, 'SIGKILL')
    // Counting starts at -1, because the first script only creates the tables that record the applied migrations.
    let migrations = -1
    await migrate({ ...owner, async script(text) {
      migrations += 1
      const answered = owner.script(text)
      if (migrations === ${dieAt}) setImmediate(die)
      await answered
      if (migrations === ${dieAt}) die()
    } }, null, release)
    await owner.close()
    process.exit()
  })()`
  const child = spawn(process.execPath, ['-e', program, address, JSON.stringify(addedMigrations)], {
    stdio: 'inherit',
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect([code, signal]).toEqual(signal === null ? [0, null] : [null, 'SIGKILL'])
  return signal === 'SIGKILL'
}
