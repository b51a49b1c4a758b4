/**
 * The migrations and supabase/schemas describe the same database (docs/decisions/0090), and docs/schema draws it.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { releasedMigrations } from '#server/database/migrate.ts'
import { type EmptyDatabase, openEmptyDatabase } from '#testing/database.ts'
import { findPostgresBinaries } from '#testing/postgres-binaries.ts'
import { catalogueLines } from '#tools/schema/catalogue.ts'
import { assembledSchema, schemaFiles } from '#tools/schema/files.ts'
import { readTriggers, withSchema } from '#tools/schema/keys-and-triggers.ts'
import { drawnPages, picturesFolder } from '#tools/schema/picture.ts'
import { openTestDatabase } from './database.ts'
import { checkedFunctions, functionsToMend } from './plpgsql-check.ts'

const cluster = inject('cluster')
let migrated: EmptyDatabase
let assembled: EmptyDatabase
let original: Promise<string[]> | null = null

beforeAll(async () => {
  const { platform } = releasedMigrations()
  const product = [{ version: '1', name: 'schemas', text: assembledSchema() }]
  if (cluster === null) {
    migrated = await openTestDatabase()
    assembled = await openEmptyDatabase({ platform, product })
  } else {
    // A copy of the template also has grants for the template's own login.
    migrated = await openEmptyDatabase(releasedMigrations(), cluster)
    assembled = await openEmptyDatabase({ platform, product }, cluster)
  }
})
afterAll(async () => {
  await migrated.close()
  await assembled.close()
})

test('the migrations create the same objects and the same rows as the schemas', async () => {
  const [one, other] = [await linesOf(migrated), await linesOf(assembled)]

  expect(one.length).toBeGreaterThan(1_500)
  expect(differences(one, other)).toEqual([])
})

// Neither the embedded engine nor the programs of `npm run test:newest` have pg_dump.
test.runIf(cluster !== null && existsSync(join(findPostgresBinaries() ?? '', 'pg_dump')))(
  'pg_dump writes the same text for the migrations and for the schemas',
  async () => {
    const [one, other] = [await dumpOf(migrated), await dumpOf(assembled)]

    expect(one.length).toBeGreaterThan(1_500)
    expect(differences(one, other)).toEqual([])
  },
)

test.each<[string, SqlStatement]>([
  ['index', sql`drop index public.transactions_newest_first`],
  ['comment', sql`comment on column public.budgets.balance is 'Changed.'`],
  ['grant', sql`grant execute on function private.is_word(text, integer) to anon`],
  ['column grant', sql`revoke update (monthly_limit) on public.budgets from authenticated`],
  ['policy', sql`alter policy "customers read their own budget" on public.budgets using (true)`],
  ['trigger', sql`alter table public.transactions disable trigger post_changed_transactions`],
  [
    'function body',
    sql`create or replace function private.is_hosted() returns boolean language sql stable set search_path = '' as 'select true'`,
  ],
  ['row', sql`update private.settings set value = '2' where name = 'staff_proof_above'`],
])('the comparison sees a changed %s', async (_, change) => {
  expect(await differenceAfter(change)).not.toEqual([])
})

test('the comparison sees a column in another place', async () => {
  const moved = await differenceAfter(
    sql`alter table private.known_devices add column moved timestamptz not null default now()`,
    sql`alter table private.known_devices drop column last_seen_at`,
    sql`alter table private.known_devices rename column moved to last_seen_at`,
  )

  expect(moved.filter((line) => line.includes('known_devices.last_seen_at number'))).toHaveLength(2)
})

test('docs/schema shows the tables, keys and triggers of the migrations', async () => {
  const drawn = await drawnPages(migrated.owner)
  const stored = (await readdir(picturesFolder)).toSorted()

  expect(stored).toEqual([...drawn.keys()].toSorted())
  for (const [name, text] of drawn)
    expect(await readFile(join(picturesFolder, name), 'utf8'), 'run npm run schema-picture').toBe(text)
})

test('a started server has at most 48 triggers, and at most eight on users or on transactions', async () => {
  const published = await migrated.owner.query(
    sql<{ table: string }>`
      select format('%I.%I', schemaname, tablename) as table from pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname <> 'realtime'`,
  )
  const made = (await readTriggers(migrated.owner)).filter(({ name }) => name !== 'zz_realtime_capture')
  // At its start, the server adds a trigger to each published table.
  const tables = [...made.map(({ table }) => withSchema(table)), ...published.map(({ table }) => table)]
  const on = (name: string) => tables.filter((table) => table === name).length

  expect(published).toHaveLength(8)
  expect(tables.length).toBeLessThanOrEqual(48)
  expect([on('auth.users'), on('public.transactions')]).toEqual([8, 7])
})

test('the comment on the triggers of each table lists them in the order in which they fire', async () => {
  const phases = [
    'Before the statement',
    'Before each row',
    'After each row',
    'After the statement',
    'At commit',
  ]
  const fired = new Map<string, string[]>()
  for (const { table, name, phase, calls } of await readTriggers(migrated.owner)) {
    if (/^(?:auth|realtime)\./.test(calls)) continue
    const list = fired.get(withSchema(table)) ?? []
    fired.set(withSchema(table), [...list, `${phases[phase] ?? ''}: ${name}`])
  }

  const listed = schemaFiles()
    .flatMap(({ text }) => [...text.matchAll(/^-- Triggers of (\S+), in the order.*\n((?:-- {2,}.*\n)+)/gm)])
    .map(([, table = '', lines = '']) => {
      const text = lines.replaceAll(/\n-- {5}/g, ' ').replaceAll(/^-- +/gm, '')
      const groups = [...text.matchAll(/^(.*?): (.*)\.$/gm)]
      return [
        table,
        groups.flatMap(([, when, names = '']) => names.split(', ').map((name) => `${when ?? ''}: ${name}`)),
      ]
    })
  expect(fired.size).toBeGreaterThan(15)
  expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(fired))
})

// The embedded engine cannot load the extension.
test.runIf(cluster !== null)(
  'plpgsql_check finds nothing new in a function or a trigger',
  async ({ skip }) => {
    const bank = await openTestDatabase()
    const superuser = await bank.connectSuperuser()
    const found = await checkedFunctions(superuser)
    await superuser.close()
    await bank.close()

    skip(found === null, 'PostgreSQL lacks the extension plpgsql_check (Debian: postgresql-15-plpgsql-check)')
    expect(found).toEqual(functionsToMend)
  },
)

/** Returns the difference that changes make, and rolls them back. */
async function differenceAfter(...changes: readonly SqlStatement[]): Promise<string[]> {
  original ??= catalogueLines(migrated.owner)
  const before = await original
  await migrated.owner.query(sql`begin`)
  for (const change of changes) await migrated.owner.query(change)
  const after = await catalogueLines(migrated.owner)
  await migrated.owner.query(sql`rollback`)
  return differences(before, after)
}

/** Returns the lines of a database. The name of a serving login contains the name of its database. */
async function linesOf({ owner }: EmptyDatabase): Promise<string[]> {
  return (await catalogueLines(owner)).map(withoutLogin).toSorted()
}

function withoutLogin(text: string): string {
  return text.replaceAll(/\bauthenticator_\w+/g, 'authenticator')
}

/** Returns the sections of pg_dump's text. The lines of a section about grants are in any order. */
async function dumpOf({ owner }: EmptyDatabase): Promise<string[]> {
  const [answer] = await owner.query<{ name: string }>(sql`select current_database() as name`)
  const url = Object.assign(new URL(cluster?.ownerUrl ?? ''), {
    pathname: `/${answer?.name ?? ''}`,
  })
  const program = join(findPostgresBinaries() ?? '', 'pg_dump')
  const { stdout } = await promisify(execFile)(program, ['--schema-only', url.href], { maxBuffer: 2 ** 26 })
  return withoutLogin(stdout)
    .replaceAll(/^(?:\\(?:un)?restrict|-- Dumped) .*$/gm, '')
    .split(/\n--\n(?=-- Name: )/)
    .map((section) => {
      const lines = section.split('\n')
      return (section.includes('; Type: ACL; ') ? lines.toSorted() : lines).join('\n').trim()
    })
    .toSorted()
}

function differences(one: readonly string[], other: readonly string[]): string[] {
  const [here, there] = [new Set(one), new Set(other)]
  return [
    ...one.filter((line) => !there.has(line)).map((line) => `- ${line}`),
    ...other.filter((line) => !here.has(line)).map((line) => `+ ${line}`),
  ]
}
