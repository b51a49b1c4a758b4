/**
 * Rules for every database object of the product. The tests read the catalogue and therefore also cover new
 * objects.
 */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import type { TestDatabase } from '#testing/database.ts'
import { openTestDatabase } from './database.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const names = async (statement: ReturnType<typeof sql<{ name: string }>>) =>
  (await db.owner.query(statement)).map(({ name }) => name)

test('a new database has no account', async () => {
  expect(await names(sql`select email as name from auth.users`)).toEqual([])
})

test('row-level security is enabled and forced on every table', async () => {
  expect(
    await names(sql`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text in ('public', 'private', 'ledger')
        and not (c.relrowsecurity and c.relforcerowsecurity)`),
  ).toEqual([])
})

test('every object of the schema has a description', async () => {
  expect(
    await names(sql`
      select 'table ' || c.oid::regclass as name from pg_class c
      where c.relkind in ('r', 'v') and c.relnamespace::regnamespace::text in ('public', 'ledger')
        and obj_description(c.oid, 'pg_class') is null
      union all
      select 'column ' || c.oid::regclass || '.' || a.attname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'v', 'c') and c.relnamespace::regnamespace::text in ('public', 'ledger')
        and col_description(c.oid, a.attnum) is null
      union all
      select 'policy ' || p.polname || ' on ' || p.polrelid::regclass from pg_policy p
      where obj_description(p.oid, 'pg_policy') is null
      union all
      select 'function ' || p.oid::regprocedure from pg_proc p
      where p.pronamespace::regnamespace::text in ('public', 'private', 'ledger', 'auth', 'realtime', 'rest')
        and obj_description(p.oid, 'pg_proc') is null`),
  ).toEqual([])
})

test('a security definer function does not use the caller’s search path', async () => {
  expect(
    await names(sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.prosecdef and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
        and not coalesce(p.proconfig, '{}') @> array['search_path=""']`),
    // `auth.require_session` qualifies every name with its schema. session-life.test.ts tests that the function ignores
    // the caller's search path.
  ).toEqual(['auth.require_session(uuid,uuid)'])
})

test('PUBLIC cannot execute a function of the product', async () => {
  expect(
    await names(sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace::regnamespace::text in ('public', 'private', 'ledger', 'realtime')
        and has_function_privilege('anon', p.oid, 'execute')
      order by 1`),
  ).toEqual([])
})

test('the authentication service cannot call the session checks or create the serving login', async () => {
  expect(
    await names(sql`
      select p.proname as name from pg_proc p
      where p.pronamespace = 'auth'::regnamespace and not has_function_privilege('supabase_auth_admin', p.oid, 'execute')
      order by 1`),
  ).toEqual(['is_open', 'prepare_serving_login', 'require_session', 'require_session_aal1', 'serving_login'])
})

test('each raised exception has either an HTTP status or one of the product’s error codes', async () => {
  expect(
    await names(sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace::regnamespace::text in ('public', 'private', 'ledger')
        and regexp_count(p.prosrc, 'raise exception')
          <> regexp_count(p.prosrc, 'errcode = ''(PT4[0-9]{2}|FZ[0-9]{3}|2[23][0-9]{3}|42501)''')`),
  ).toEqual([])
})

test('each view reads with the rights of its caller', async () => {
  expect(
    await names(sql`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
        and not coalesce(c.reloptions, '{}') @> array['security_invoker=true']`),
  ).toEqual([])
})

test('every text that people write has a check constraint', async () => {
  // These columns have copies of checked texts, texts of the bank, or texts that a function checks.
  const unchecked = [
    'batch_lines.description',
    'batch_lines.fault',
    'batches.reversed_by_name',
    'batches.sent_by_name',
    'beneficiaries.payee_name',
    'corrections.corrected_by',
    'holder_corrections.corrected_by',
    'import_lines.description',
    'new_accounts.document_kind',
    'new_accounts.document_number',
    'new_accounts.email',
    'new_accounts.full_name',
    'new_accounts.phone',
    'requests.decided_by_name',
    'requests.payee_masked',
    'requests.payee_name',
    'requests.payer_name',
    'user_safe.email',
  ]

  expect(
    await names(sql`
      select c.relname || '.' || a.attname as name
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.atttypid = 'text'::regtype
        and a.attgenerated = '' and not exists (
          select from pg_constraint k where k.conrelid = c.oid and k.contype = 'c' and a.attnum = any (k.conkey)
        )
      order by 1`),
  ).toEqual(unchecked)
})

test('a trigger function does not branch on the operation that fired it', async () => {
  // realtime.record_change stores the operation.
  expect(
    await names(sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.prorettype = 'trigger'::regtype and p.prosrc ~* 'tg_op'
        and p.pronamespace::regnamespace::text in ('public', 'private', 'ledger', 'auth')`),
  ).toEqual([])
})

test('Supabase’s database linter has no findings', async () => {
  const lints = await readFile(new URL('lints.sql', import.meta.url), 'utf8')

  expect(
    await names({ text: `select lint || ' ' || object as name from (${lints}) as found`, values: [] }),
  ).toEqual([])
})

test('each function and view that a person can call states the maximum of its reads', async () => {
  const page = await readFile(new URL('../../docs/overload.md', import.meta.url), 'utf8')
  const listed = new Set(
    [...page.matchAll(/^\| (`\w+`[^|]*) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []),
  )
  const callable = await names(sql`
    select p.proname::text as name from pg_proc p
    where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
      and coalesce(obj_description(p.oid, 'pg_proc'), '') !~ 'Reads at most [^.]+\\.$'
    union
    select c.relname::text from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
      and has_any_column_privilege('authenticated', c.oid, 'select, insert, update')
    order by 1`)

  expect(callable.filter((name) => !listed.has(name))).toEqual([])
  expect(callable.length).toBeGreaterThan(30)
})
