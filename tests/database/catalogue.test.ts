/** Rules that hold for every object of the product, asked of the catalogue: a new table must follow them too. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const names = async (statement: ReturnType<typeof sql<{ name: string }>>) =>
  (await db.owner.query(statement)).map(({ name }) => name)

test('the catalogue is seen: tables, policies and functions of the product', async () => {
  const [seen] = await db.owner.query(sql<{ tables: number; policies: number; functions: number }>`
    select (select count(*) from pg_tables where schemaname in ('public', 'ledger')) as tables,
           (select count(*) from pg_policies where schemaname in ('public', 'ledger')) as policies,
           (select count(*) from pg_proc p where p.pronamespace::regnamespace::text in ('public', 'private', 'ledger')) as functions`)

  expect(seen?.tables).toBeGreaterThanOrEqual(5)
  expect(seen?.policies).toBeGreaterThanOrEqual(10)
  expect(seen?.functions).toBeGreaterThanOrEqual(15)
})

test('a new database has no account', async () => {
  expect(await names(sql`select email as name from auth.users`)).toEqual([])
})

test('row-level security is enabled and forced on every table', async () => {
  expect(
    await names(sql`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p') and c.relnamespace::regnamespace::text in ('public', 'ledger')
        and not (c.relrowsecurity and c.relforcerowsecurity)`),
  ).toEqual([])
})

test('nobody in particular has any right on a table', async () => {
  expect(
    await names(sql`
      select table_schema || '.' || table_name || ' ' || privilege_type || ' to ' || grantee as name
      from information_schema.table_privileges
      where table_schema in ('public', 'ledger', 'auth', 'realtime') and grantee in ('anon', 'PUBLIC')`),
  ).toEqual([])
})

test('what client roles may do in the ledger is written down here, and nothing on what the services keep', async () => {
  expect(
    await names(sql`
      select table_schema || '.' || table_name || ' ' || privilege_type || ' to ' || grantee as name
      from information_schema.table_privileges
      where table_schema in ('ledger', 'auth', 'realtime') and grantee in ('authenticated', 'service_role')
      order by 1`),
  ).toEqual(['ledger.audit SELECT to authenticated', 'ledger.journal SELECT to authenticated'])
  expect(
    await names(sql`
      select r.rolname as name from pg_roles r
      where r.rolname in ('anon', 'authenticated') and has_schema_privilege(r.oid, 'ledger', 'usage')`),
  ).toEqual([])
})

test('a view reads with the rights of whoever asks, not of its owner', async () => {
  expect(
    await names(sql`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind = 'v' and c.relnamespace = 'public'::regnamespace
        and not coalesce(c.reloptions, '{}') @> array['security_invoker=true']`),
  ).toEqual([])
})

test('every table, column, policy and function says what it is for', async () => {
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

test('a function with its owner’s rights looks nothing up by a path that the caller sets', async () => {
  expect(
    await names(sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.prosecdef and p.pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
        and not coalesce(p.proconfig, '{}') @> array['search_path=""']`),
  ).toEqual([])
})

test('functions are for those they were granted to, not for everybody', async () => {
  expect(
    await names(sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace::regnamespace::text in ('public', 'private', 'ledger', 'realtime')
        and has_function_privilege('anon', p.oid, 'execute')
      order by 1`),
  ).toEqual([])
})

test('what the public schema offers to signed-in callers is written down here', async () => {
  expect(
    await names(sql`
      select p.oid::regprocedure::text as name from pg_proc p
      where p.pronamespace = 'public'::regnamespace and has_function_privilege('authenticated', p.oid, 'execute')
      order by 1`),
  ).toEqual([
    'abort_user_creation(text)',
    'begin_user_creation(uuid,text,text,text)',
    'delete_user(uuid,text,text)',
    'explain_balance()',
    'export_my_data()',
    'register_transaction(uuid,text,numeric,text,timestamp with time zone,text,uuid,text,text)',
    'restore_transaction(uuid)',
  ])
})

test('every column of a customer that a customer may write is written down here', async () => {
  expect(
    await names(sql`
      select c.relname || '.' || a.attname || ' ' || right_name as name
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      cross join unnest(array['INSERT', 'UPDATE']) as right_name
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
        and has_column_privilege('authenticated', c.oid, a.attnum, right_name)
      order by 1`),
  ).toEqual([
    'budgets.monthly_limit UPDATE',
    'profiles.role UPDATE',
    'transactions.amount INSERT',
    'transactions.category INSERT',
    'transactions.date INSERT',
    'transactions.description INSERT',
    'transactions.id INSERT',
    'transactions.type INSERT',
    'transactions.user_id INSERT',
  ])
})
