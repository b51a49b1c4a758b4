// Supabase's lints for databases find nothing but what is meant.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Owner, SqlError } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { leftOut, meant } from './lint-reasons.ts'

type Finding = { readonly lint: string; readonly object: string }

let lints: string
let db: TestDatabase
let superuser: Owner

beforeAll(async () => {
  lints = await readFile(new URL('lints.sql', import.meta.url), 'utf8')
  db = await openTestDatabase()
  superuser = await db.connectSuperuser()
})
afterAll(async () => {
  await superuser.close()
  await db.close()
})

test('the lints find nothing that is not meant, and everything that is said to be meant', async () => {
  const findings = await findingsWith('')

  expect(findings.map(({ lint, object }) => `${lint} ${object}`).sort()).toEqual(
    meant.flatMap(({ lint, objects }) => objects.map((object) => `${lint} ${object}`)).sort(),
  )
})

test('every lint that splinter has is here or left out with a reason', () => {
  const here = [...lints.matchAll(/^-- (\d{4})/gm)].map(([, number]) => Number(number))
  const numbers = new Set([...here, ...leftOut.map(({ number }) => number)])

  expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1))
  expect([...lints.matchAll(/select (?:distinct )?'(\w+)'/g)].map(([, lint = '']) => lint).sort()).toEqual(
    faults.map(({ lint }) => lint).sort(),
  )
})

const table = 'create table public.faulty (id integer primary key);'
const guarded = `${table} alter table public.faulty enable row level security;`

/** One object for each lint, and how the finding names it. */
const faults: readonly (Finding & { readonly sql: string })[] = [
  {
    lint: 'unindexed_foreign_keys',
    object: 'public.faulty: faulty_owner_fkey',
    sql: `${table} alter table public.faulty add owner uuid references public.budgets;
          create index on public.faulty (id, owner); create index on public.faulty (owner) where id > 0;`,
  },
  {
    lint: 'auth_users_exposed',
    object: 'public.faulty',
    sql: `create view public.faulty with (security_invoker = true) as select email from auth.users;
          grant select (email) on public.faulty to authenticated;`,
  },
  {
    lint: 'auth_rls_initplan',
    object: 'public.faulty: one',
    sql: `${guarded} create policy one on public.faulty using ((select auth.uid()) is not null and auth.role() = 'x');`,
  },
  {
    lint: 'no_primary_key',
    object: 'public.faulty',
    sql: 'create table public.faulty (id integer unique);',
  },
  {
    lint: 'multiple_permissive_policies',
    object: 'public.faulty r for authenticated',
    sql: `${guarded} create policy one on public.faulty for select to authenticated using (id = 1);
          create policy two on public.faulty to anon, authenticated using (id = 2);`,
  },
  {
    lint: 'policy_exists_rls_disabled',
    object: 'public.faulty',
    sql: `${table} create policy one on public.faulty using (id = 1);`,
  },
  { lint: 'rls_enabled_no_policy', object: 'public.faulty', sql: guarded },
  {
    lint: 'duplicate_index',
    object: 'public.faulty: faulty_pkey, public.faulty: one',
    sql: `${table} create index one on public.faulty (id);`,
  },
  {
    lint: 'security_definer_view',
    object: 'public.faulty',
    sql: 'create view public.faulty with (security_invoker = off) as select 1 as id;',
  },
  {
    lint: 'function_search_path_mutable',
    object: 'private.faulty(n integer)',
    sql: `create function private.faulty(n integer) returns integer language sql set work_mem = '1MB' as 'select n';`,
  },
  { lint: 'rls_disabled_in_public', object: 'public.faulty', sql: table },
  {
    lint: 'extension_in_public',
    object: 'plpgsql',
    sql: `update pg_extension set extnamespace = 'public'::regnamespace where extname = 'plpgsql';`,
  },
  {
    lint: 'rls_references_user_metadata',
    object: 'public.faulty: one',
    sql: `${guarded} create policy one on public.faulty for insert
            with check ((select auth.jwt()) -> 'user_metadata' ->> 'role' = 'admin');`,
  },
  {
    lint: 'materialized_view_in_api',
    object: 'public.faulty',
    sql: `create materialized view public.faulty as select 1 as id; grant select on public.faulty to authenticated;`,
  },
  {
    lint: 'foreign_table_in_api',
    object: 'public.faulty',
    sql: `create foreign data wrapper faulty; create server faulty foreign data wrapper faulty;
          create foreign table public.faulty (id integer) server faulty; grant select on public.faulty to anon;`,
  },
  {
    lint: 'unsupported_reg_types',
    object: 'public.faulty.which',
    sql: `${table} alter table public.faulty add which regprocedure;`,
  },
  {
    lint: 'insecure_queue_exposed_in_api',
    object: 'pgmq.q_faulty',
    sql: 'create schema pgmq; create table pgmq.q_faulty (id integer primary key);',
  },
  {
    lint: 'fkey_to_auth_unique',
    object: 'public.faulty: faulty_code_fkey',
    sql: `create table auth.faulty (id integer primary key, code text unique);
          ${table} alter table public.faulty add code text unique references auth.faulty (code);`,
  },
  {
    lint: 'extension_versions_outdated',
    object: 'plpgsql',
    sql: `update pg_extension set extversion = '0.1' where extname = 'plpgsql';`,
  },
  {
    lint: 'sensitive_columns_exposed',
    object: 'public.faulty.refresh_token',
    sql: `${table} alter table public.faulty add refresh_token text; grant select on public.faulty to authenticated;`,
  },
  {
    lint: 'rls_policy_always_true',
    object: 'public.faulty: one',
    sql: `${guarded} create policy one on public.faulty for update to authenticated using (id = 1) with check ((true));`,
  },
  {
    lint: 'pg_graphql_anon_table_exposed',
    object: 'public.faulty',
    sql: `${table} grant select (id) on public.faulty to anon;`,
  },
  {
    lint: 'anon_security_definer_function_executable',
    object: 'public.faulty()',
    sql: `create function public.faulty() returns integer language sql security definer set search_path = '' as 'select 1';`,
  },
  {
    lint: 'authenticated_security_definer_function_executable',
    object: 'public.faulty()',
    sql: `create function public.faulty() returns integer language sql security definer set search_path = '' as 'select 1';
          revoke execute on function public.faulty() from public, anon, service_role;
          grant execute on function public.faulty() to authenticated;`,
  },
  {
    lint: 'autovacuum_disabled',
    object: 'public.faulty',
    sql: `${table} alter table public.faulty set (autovacuum_enabled = false);`,
  },
  {
    lint: 'invalid_index',
    object: 'public.faulty: faulty_pkey',
    sql: `${table} update pg_index set indisvalid = false where indexrelid = 'public.faulty_pkey'::regclass;`,
  },
  {
    lint: 'rls_policy_null_auth_disjunct',
    object: 'public.faulty: one',
    sql: `${guarded} create policy one on public.faulty for select to authenticated using ((select auth.uid()) is null or id = 1);`,
  },
]

test.each(faults)('$lint finds its fault', async ({ lint, object, sql }) => {
  expect(await findingsWith(sql)).toContainEqual({ lint, object })
})

const findingsSqlState = 'FZ000'

/** What is found once the SQL has run; nothing of it stays. */
async function findingsWith(fault: string): Promise<Finding[]> {
  // The error that carries the findings out takes everything before it back.
  const found = await superuser
    .script(
      `${fault}
       do $lints$ begin
         raise exception using errcode = '${findingsSqlState}', message = 'The findings are in the detail.',
           detail = (select coalesce(jsonb_agg(f), '[]') from (${lints}) as f);
       end $lints$`,
    )
    .catch((error: unknown) => error)
  if (!(found instanceof SqlError) || found.sqlState !== findingsSqlState) throw found
  return JSON.parse(found.detail ?? '') as Finding[]
}
