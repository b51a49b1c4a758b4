/**
 * SQL statements, each of which removes one defence of the schema or grants one missing right. The authorization matrix
 * must detect each of these changes.
 */
import { type Owner, sql } from '#server/database/database.ts'

/** A schema change, and the objects whose cells the change should affect. */
export type Change = { readonly kind: string; readonly text: string; readonly related: readonly string[] }

/** Lists the changes, using the catalogue. Each change drops one existing object or grants one missing right. */
export async function listChanges(owner: Owner): Promise<readonly Change[]> {
  return (
    await Promise.all([
      owner.query(policyChanges),
      owner.query(lostRights),
      owner.query(lostExecution),
      owner.query(givenRights),
      owner.query(givenExecution),
      owner.query(tableChanges),
      owner.query(lostTriggers),
    ])
  )
    .flat()
    .map((change) => ({ ...change, related: withViews(change.related) }))
}

/** Adds the views that read the ledger's tables. */
function withViews(related: readonly string[]): readonly string[] {
  return [
    ...related,
    ...(related.includes('ledger.audit') ? ['public.audit_entries'] : []),
    ...(related.includes('ledger.journal') ? ['public.journal_entries'] : []),
  ]
}

const policyChanges = sql<Change>`
  with policies as (
    select p.*, n.nspname || '.' || c.relname as relation, quote_ident(p.polname) || ' on ' || p.polrelid::regclass as name
    from pg_policy p join pg_class c on c.oid = p.polrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'ledger')
  )
  select 'policy dropped' as kind, 'drop policy ' || name as text, jsonb_build_array(relation) as related from policies
  union all
  select 'policy reads everything', 'alter policy ' || name || ' using (true)', jsonb_build_array(relation)
  from policies where polqual is not null and pg_get_expr(polqual, polrelid) <> 'true'
  union all
  select 'policy writes everything', 'alter policy ' || name || ' with check (true)', jsonb_build_array(relation)
  from policies where polwithcheck is not null
  union all
  select 'policy for everybody', 'alter policy ' || name || ' to public', jsonb_build_array(relation)
  from policies where pg_get_expr(polqual, polrelid) = 'true'`

const lostRights = sql<Change>`
  select 'right taken' as kind,
         format('revoke %s on %s from %s', a.privilege_type, c.oid::regclass, a.grantee::regrole) as text,
         jsonb_build_array(n.nspname || '.' || c.relname) as related
  from pg_class c join pg_namespace n on n.oid = c.relnamespace, aclexplode(c.relacl) a
  where n.nspname in ('public', 'ledger') and a.grantee <> c.relowner
  union all
  select 'right on a column taken',
         format('revoke %s (%I) on %s from %s', a.privilege_type, t.attname, c.oid::regclass, a.grantee::regrole),
         jsonb_build_array(n.nspname || '.' || c.relname)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute t on t.attrelid = c.oid, aclexplode(t.attacl) a
  where n.nspname in ('public', 'ledger')
  union all
  select 'schema taken', format('revoke usage on schema %I from %s', n.nspname, a.grantee::regrole),
         (select jsonb_agg(n.nspname || '.' || p.proname) from pg_proc p where p.pronamespace = n.oid)
  from pg_namespace n, aclexplode(n.nspacl) a
  where n.nspname in ('private', 'ledger') and a.grantee <> n.nspowner
    and a.grantee::regrole::text not like 'authenticator%'`

// Omits the rights of the login that serves requests, which tests/process/serving-login.test.ts tests.
const lostExecution = sql<Change>`
  select 'function taken' as kind, format('revoke execute on routine %s from %s', p.oid::regprocedure, a.grantee::regrole) as text,
         jsonb_build_array(n.nspname || '.' || p.proname) as related
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace, aclexplode(p.proacl) a
  where n.nspname in ('public', 'private', 'ledger') and a.grantee <> p.proowner
    and a.grantee::regrole::text not like 'authenticator%'`

// Lists only objects in schemas on which the role has usage. In other schemas, a right on a table has no effect by
// itself.
const givenRights = sql<Change>`
  select 'right given' as kind,
         format('grant %s on %s to %s', right_name, c.oid::regclass, role) as text,
         jsonb_build_array(n.nspname || '.' || c.relname) as related
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  cross join unnest(array['select', 'insert', 'update', 'delete', 'truncate']) right_name
  cross join unnest(array['anon', 'authenticated', 'service_role']) role
  where n.nspname in ('public', 'ledger') and c.relkind in ('r', 'v') and not has_table_privilege(role, c.oid, right_name)
    and has_schema_privilege(role, n.oid, 'usage') and not (c.relkind = 'v' and right_name = 'truncate')
  union all
  select 'right on a column given', format('grant %s (%I) on %s to authenticated', right_name, t.attname, c.oid::regclass),
         jsonb_build_array(n.nspname || '.' || c.relname)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  -- No role can write a generated column, whatever its rights.
  join pg_attribute t on t.attrelid = c.oid and t.attnum > 0 and not t.attisdropped and t.attgenerated = ''
  cross join unnest(array['insert', 'update']) right_name
  where n.nspname = 'public' and c.relkind = 'r' and not has_column_privilege('authenticated', c.oid, t.attnum, right_name)
  union all
  select 'schema given', format('grant usage on schema %I to %s', n.nspname, role),
         (select jsonb_agg(n.nspname || '.' || p.proname) from pg_proc p where p.pronamespace = n.oid)
  from pg_namespace n cross join unnest(array['anon', 'authenticated', 'service_role']) role
  where n.nspname in ('private', 'ledger') and not has_schema_privilege(role, n.oid, 'usage')`

const givenExecution = sql<Change>`
  select 'function given' as kind, format('grant execute on routine %s to %s', p.oid::regprocedure, role) as text,
         jsonb_build_array(n.nspname || '.' || p.proname) as related
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace
  cross join unnest(array['anon', 'authenticated', 'service_role']) role
  where n.nspname in ('public', 'private', 'ledger') and not has_function_privilege(role, p.oid, 'execute')
    and has_schema_privilege(role, n.oid, 'usage')`

const tableChanges = sql<Change>`
  select 'row-level security ' || case change when 'no force' then 'not for the owner' else 'off' end as kind,
         format('alter table %s %s row level security', c.oid::regclass, change) as text,
         jsonb_build_array(n.nspname || '.' || c.relname) as related
  from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join unnest(array['no force', 'disable']) change
  where n.nspname in ('public', 'ledger') and c.relkind = 'r'
  union all
  select 'view with its owner’s rights', format('alter view %s set (security_invoker = false)', c.oid::regclass),
         jsonb_build_array(n.nspname || '.' || c.relname)
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname in ('public', 'ledger') and c.relkind = 'v'`

// Omits triggers that only take locks, count rows, because lock-order.test.ts, writes.test.ts
// and limits.test.ts test them. Also omits triggers whose effect no right shows: reserved names
// (reserved-names.test.ts), the notes about who knows a password (access-acts.test.ts), and the audit entry of a
// deleted user (audit.test.ts).
const lostTriggers = sql<Change>`
  select 'trigger dropped' as kind, format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass) as text,
         jsonb_build_array(n.nspname || '.' || c.relname) as related
  from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
  join pg_proc p on p.oid = t.tgfoid
  where not t.tgisinternal and p.pronamespace in ('private'::regnamespace, 'ledger'::regnamespace)
    and p.proname not in (
      'lock_account_first', 'begin_write', 'begin_change_of_limit', 'count_written_rows', 'note_hosted_password',
      'check_new_person', 'audit_deletion'
    )`

/**
 * Statements that remove a defence. If the matrix does not notice a change, another defence may hide its effect.
 * The test then removes the defences one at a time, and makes the change again.
 */
export const defences: readonly string[] = [
  // In the real schema, these roles have no direct rights on the ledger's tables and only some rights on the tables in
  // `public`.
  `grant usage on schema ledger to anon, authenticated, service_role;
    grant all on all tables in schema public, ledger to anon, authenticated, service_role`,
  // In the real schema, these roles have no rights on many of the private functions that public functions call.
  `grant usage on schema private, ledger to anon, authenticated, service_role;
    grant execute on all functions in schema private, ledger to anon, authenticated, service_role`,
  // In the real schema, `private.require_admin` refuses all callers except administrators.
  `grant usage on schema ledger to authenticated;
    create or replace function private.require_admin() returns boolean language sql stable as 'select true'`,
  // In the real schema, the service role bypasses row-level security. On PostgreSQL 15, only a superuser can grant this
  // right. Without this right, the service role needs policies to read rows.
  `alter role service_role nobypassrls`,
  // The trigger `refuse_customers_request` refuses role changes by customers.
  `drop trigger refuse_customers_request on public.profiles`,
  // Drops the trigger `refuse_customers_request`, and loosens the policies that limit access to profiles.
  `drop trigger refuse_customers_request on public.profiles;
    alter policy "administrators read every profile" on public.profiles using (true);
    alter policy "administrators change roles" on public.profiles using (true)`,
]
