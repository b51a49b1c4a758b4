/**
 * A bank of every released version becomes one of this version, whatever interrupts it (security.md BK-04).
 * Seen red: a migration and its entry in the books as two database transactions; a unique index on what the
 * journal already holds twice.
 */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Prefix, migrate, releasedMigrations } from '#server/database/migrate.ts'
import { sql } from '#server/database/database.ts'
import { migratePostgres } from '#server/database/postgres/prepare.ts'
import { verifyLedger } from '#server/ledger/verify.ts'
import { ownerUrl } from './database.ts'
import { type PlacedBank, type Places, rowsOf, embeddedPlaces, postgresPlaces } from './bank-places.ts'
import { fillRandomly } from './random-bank.ts'

/** The last migrations of each release. */
const releases = { '0.1.0': { platform: '0004', product: '20261121000700' } }

let places: Places

beforeAll(async () => {
  places = process.env['ENGINE'] === 'postgres' ? await postgresPlaces(ownerUrl()) : await embeddedPlaces()
})
afterAll(() => places.removeAll())

test.each(Object.entries(releases))(
  'a bank of release %s opens with this one, every row as it was, killed at every step or not',
  { timeout: 300_000 },
  async (_release, last) => {
    const bank = await places.newBank(upTo(last))
    await fillRandomly(bank.owner, 31)
    const before = await rowsOf(bank)
    const steps = (await missingIn(bank)).length
    await bank.close()
    expect(steps).toBeGreaterThan(0)

    // The first is killed at once; each of the others does what was broken off, and dies in the one after it.
    let kills = 0
    while (kills <= steps && (await migrateAndDie(bank, kills === 0 ? 1 : 2))) kills += 1

    // PostgreSQL may end what it was sent although nobody waits for it any more.
    expect(kills).toBeGreaterThanOrEqual(Math.ceil(steps / 2))
    expect(kills).toBeLessThanOrEqual(steps)
    const [after, verdict] = await openedAgain(bank, async (again) => {
      expect(await missingIn(again)).toEqual([])
      expect(
        await (places.engine === 'pglite' ? migrate(again.owner) : migratePostgres(again.owner)),
      ).toEqual([])
      return [await rowsOf(again), await verifyLedger(asOwner(again))]
    })
    // Newer migrations may add tables and columns.
    expect(after).toMatchObject(before)
    expect(verdict.broken).toBeNull()
    expect(verdict.entries).toBeGreaterThan(0)
  },
)

test('a bank in which an id was deleted and used again, which release 0.1.0 allowed, opens with this one', async () => {
  const bank = await places.newBank(upTo(releases['0.1.0']))
  const [customer, id] = [randomUUID(), randomUUID()]
  const record = sql`
    insert into public.transactions (user_id, id, type, description, amount) values (${customer}, ${id}, 'expense', 'Café', 5)`
  await bank.owner.query(
    sql`insert into auth.users (id, email) values (${customer}, ${`${customer}@banco.example`})`,
  )
  await bank.owner.query(record)
  await bank.owner.query(sql`delete from public.transactions where id = ${id}`)
  await bank.owner.query(record)

  await (places.engine === 'pglite' ? migrate(bank.owner) : migratePostgres(bank.owner))

  expect(await missingIn(bank)).toEqual([])
  expect((await verifyLedger(asOwner(bank))).broken).toBeNull()
  await bank.owner.query(sql`delete from public.transactions where id = ${id}`)
  await expect(bank.owner.query(record)).rejects.toMatchObject({ sqlState: '23505' })
  await bank.close()
})

function upTo(last: { platform: string; product: string }): Prefix {
  const { platform, product } = releasedMigrations()
  return {
    platform: platform.map(({ version }) => version).filter((version) => version <= last.platform),
    product: product.map(({ version }) => version).filter((version) => version <= last.product),
  }
}

async function missingIn({ owner }: PlacedBank): Promise<string[]> {
  const applied = await owner.query<{ version: string }>(sql`
    select version from supabase_migrations.platform_migrations
    union all select version from supabase_migrations.schema_migrations`)
  const { platform, product } = releasedMigrations()
  return [...platform, ...product]
    .map(({ version }) => version)
    .filter((version) => !applied.some((other) => other.version === version))
}

async function openedAgain<T>({ source }: PlacedBank, work: (bank: PlacedBank) => Promise<T>): Promise<T> {
  const bank = await places.open(placeOf(source))
  try {
    return await work(bank)
  } finally {
    await bank.close()
  }
}

function placeOf(source: PlacedBank['source']) {
  return source.engine === 'postgres'
    ? ({ engine: 'postgres', url: source.ownerUrl, directUrl: null, allowSuperuser: false } as const)
    : ({ engine: 'pglite', dataDir: join(source.directory, '..') } as const)
}

/**
 * Starts the migrations in a process that kills itself while the `dieAt`th of those that are missing runs.
 * False when they came to their end before.
 */
async function migrateAndDie({ source }: PlacedBank, dieAt: number): Promise<boolean> {
  const [address, open] =
    source.engine === 'postgres'
      ? [source.ownerUrl, `(await import('#server/database/postgres/postgres.ts')).connectOwner(place)`]
      : [
          source.directory,
          `(await import('#server/database/pglite/pglite.ts')).openPglite(place).then((e) => e.owner)`,
        ]
  // No flag for modules: the engine's thread would inherit it, and not start.
  const program = `void (async () => {
    const { migrate } = await import('#server/database/migrate.ts')
    const place = process.argv[1]
    const owner = await ${open}
    const die = () => process.kill(process.pid, 'SIGKILL')
    // The first script is the books'.
    let migrations = -1
    await migrate({ ...owner, async script(text) {
      migrations += 1
      const answered = owner.script(text)
      if (migrations === ${dieAt}) setImmediate(die)
      await answered
      if (migrations === ${dieAt}) die()
    } })
    await owner.close()
    process.exit()
  })()`
  const child = spawn(process.execPath, ['-e', program, address], { stdio: 'inherit' })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect([code, signal]).toEqual(signal === null ? [0, null] : [null, 'SIGKILL'])
  return signal === 'SIGKILL'
}

/** The verification asks with the service's rights; a bank that nobody serves has its owner's only. */
function asOwner({ owner }: PlacedBank): Parameters<typeof verifyLedger>[0] {
  return {
    transaction: (async (_scope: unknown, [statement]: [Parameters<typeof owner.query>[0]]) => [
      await owner.query(statement),
    ]) as never,
  }
}
