import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { initialisedEngineDirectory } from '#server/database/pglite/engine-directory.ts'
import { type Database, DatabaseUnavailable, sql } from '#server/database/database.ts'
import { migrate } from '#server/database/migrate.ts'
import { openPglite } from '#server/database/pglite/pglite.ts'
import { asCaller, asService } from '#server/database/scope.ts'

let place: string
let directory: string
let database: Database

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'finanzas-engine-'))
  directory = await initialisedEngineDirectory(place)
  const opened = await openPglite(directory)
  await migrate(opened.owner)
  database = opened.database
}, 60_000)
afterAll(async () => {
  await database.close()
  rmSync(place, { recursive: true, force: true })
})

const anonymous = asCaller({ role: 'anon' }, 'read')
const ping = () => database.transaction(anonymous, [sql<{ one: number }>`select 1 as one`])

test('a request has the rights of its scope and nothing of the one before', async () => {
  const who = sql`select current_user as role, auth.uid() as person, current_setting('is_superuser') as superuser`

  const [before] = await database.transaction(asService('supabase_auth_admin', 'read'), [who])
  const [after] = await database.transaction(anonymous, [who])

  expect(before).toEqual([{ role: 'supabase_auth_admin', person: null, superuser: 'off' }])
  expect(after).toEqual([{ role: 'anon', person: null, superuser: 'off' }])
})

test('a statement that fails undoes the ones before it, and the next request goes on', async () => {
  const person = crypto.randomUUID()
  const writing = database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`insert into auth.users (id, email) values (${person}, 'a@banco.example')`,
    sql`select 1 / 0`,
  ])

  await expect(writing).rejects.toMatchObject({ sqlState: '22012' })
  const [rows] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql`select from auth.users where id = ${person}`,
  ])
  expect(rows).toEqual([])
})

test('a statement that never ends is ended as PostgreSQL would; who waits behind it is told to come back', async () => {
  const endless = database.transaction(anonymous, [sql`select pg_sleep(60)`])
  const behind = ping()

  await expect(endless).rejects.toMatchObject({ name: 'SqlError', sqlState: '57014' })
  await expect(behind).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(ping()).resolves.toEqual([[{ one: 1 }]])
}, 30_000)

test('in a group of writes it is the slow one that is blamed, and one after the other may take its time', async () => {
  const write = (seconds: number) =>
    database.transaction(asCaller({ role: 'anon' }, 'write'), [sql`select pg_sleep(${seconds})`])
  // What comes while the thread is at work is one group; what comes to an idle thread may be a group of its own.
  const atWork = write(3)
  await setTimeout(300)
  const [before, slow, behind] = [write(0.1), write(60), write(0.1)]
  await atWork

  await expect(slow).rejects.toMatchObject({ sqlState: '57014' })
  await expect(before).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(behind).rejects.toBeInstanceOf(DatabaseUnavailable)
  await expect(Promise.all([write(3), write(3)])).resolves.toHaveLength(2)
}, 40_000)

test('an engine that could not be opened again is opened as soon as it can be', async () => {
  const sleeping = database.transaction(anonymous, [sql`select pg_sleep(60)`])
  const aside = `${directory}.aside`
  cpSync(directory, aside, { recursive: true })
  rmSync(directory, { recursive: true })
  // Ended, or never begun: the thread looks at its disk before.
  await expect(sleeping).rejects.toThrowError()
  await expect(ping()).rejects.toBeInstanceOf(DatabaseUnavailable)

  rmSync(directory, { recursive: true, force: true })
  renameSync(aside, directory)

  await expect
    .poll(() => ping().catch(() => null), { timeout: 15_000, interval: 500 })
    .toEqual([[{ one: 1 }]])
}, 40_000)
