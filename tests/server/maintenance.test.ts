import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { engineDirectoryOf } from '#server/data-directory/data-directory.ts'
import { openTestDatabase } from '#testing/database.ts'
import { SqlError, sql } from '#server/database/database.ts'
import { startMaintenance } from '#server/database/maintenance.ts'

const bank = await openTestDatabase()
const maintenance = startMaintenance(bank.owner)
afterAll(async () => {
  await maintenance.close()
  await bank.close()
})

const sizeOf = async (table: string) => {
  const [answer] = await bank.owner.query(sql<{ bytes: number }>`
    select pg_relation_size(${table}::text::regclass) as bytes`)
  return answer?.bytes ?? Number.NaN
}
const logFiles = () => {
  const directory = join(engineDirectoryOf(bank.directory ?? ''), 'pg_wal')
  return readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0)
}
/** Runs a statement that writes `rows` rows and then fails. */
const refused = (rows: number) =>
  bank.owner
    .query(sql`
      with written as (
        insert into public.probe select n, repeat('x', 200) from generate_series(1, ${rows}::integer) n returning 1
      )
      select 1 / (count(*) - ${rows}::integer) from written`)
    .catch((error: unknown) => error)

test('maintenance frees the space that the rows of a failed statement occupy', async () => {
  await bank.owner.script('create table public.probe (id integer, words text)')
  await maintenance.look()
  // The engine updates its statistics about dead rows at most once per second.
  await expect
    .poll(async () => (await refused(5000)) instanceof SqlError && (await deadRows()))
    .toBeGreaterThan(0)
  const full = await sizeOf('public.probe')

  await maintenance.look()

  expect(full).toBeGreaterThan(1_000_000)
  expect(await sizeOf('public.probe')).toBe(0)
})

async function deadRows(): Promise<number> {
  const [answer] = await bank.owner.query(sql<{ dead: number }>`
    select n_dead_tup as dead from pg_stat_user_tables where relname = 'probe'`)
  return answer?.dead ?? 0
}

test('maintenance makes the files of a long write-ahead log reusable', async () => {
  for (let round = 0; round < 3; round += 1) await refused(100_000)
  const long = logFiles()

  await maintenance.look()
  for (let round = 0; round < 3; round += 1) await refused(100_000)

  expect(long).toBeGreaterThan(64 * 1024 * 1024)
  // The log files of the first three rounds are reused in the last three rounds.
  expect(logFiles()).toBeLessThan(1.5 * long)
})
