/** docs/scaling.md says of each table whether its rows could be distributed over several machines by customer. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import type { TestDatabase } from '#testing/database.ts'
import { root } from '#tools/tree.ts'
import { openTestDatabase } from './database.ts'

let db: TestDatabase
let rows: string[][]

beforeAll(async () => {
  db = await openTestDatabase()
  const page = await readFile(join(root, 'docs/scaling.md'), 'utf8')
  const [, after = ''] = page.split('<!-- tests/database/customer-keys.test.ts reads this table. -->')
  const [table = ''] = after.split('\n\nFurther')
  rows = table
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| --- '))
    .slice(1)
    .map((line) =>
      [...(line.split(' | ')[1] ?? '').matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, name = '']) => name),
    )
})
afterAll(() => db.close())

/** The column with the customer's id in tables whose column has another name. */
const customerColumns = {
  'auth.users': 'id',
  'public.profiles': 'id',
  'public.user_safe': 'id',
  'private.notices': 'recipient',
  'private.notice_marks': 'recipient',
  'private.access_acts': 'person',
}

test('docs/scaling.md names every table once', async () => {
  const tables = await db.owner.query(sql<{ name: string }>`
    select relnamespace::regnamespace || '.' || relname as name from pg_class
    where relkind in ('r', 'p') and relnamespace::regnamespace::text in ('public', 'private', 'ledger', 'auth', 'realtime')`)

  expect(rows.flat().toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

test('the first row of the table lists the tables whose keys all contain the customer', async () => {
  const fitting = await db.owner.query(sql<{ name: string }>`
    select n.nspname || '.' || c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
      and a.attname = coalesce(${JSON.stringify(customerColumns)}::jsonb ->> (n.nspname || '.' || c.relname), 'user_id')
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'private', 'ledger', 'auth', 'realtime')
      and not exists (select from pg_index i
        where i.indrelid = c.oid and i.indisunique and not a.attnum = any (i.indkey::int2[]))
      and not exists (select from pg_constraint k
        where k.conrelid = c.oid and k.contype = 'f' and not a.attnum = any (k.conkey))`)

  expect(rows[0]?.toSorted()).toEqual(fitting.map(({ name }) => name).toSorted())
})
