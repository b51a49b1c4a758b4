-- What Supabase's linter for databases, splinter, looks for, as one query of our own: one row (lint, object) for each
-- finding. Numbers and names are splinter's, and so is the meaning, here and there stricter. Splinter leaves `auth`,
-- `realtime` and other schemas of the platform out: on a hosted project they are not the project's. Here they are ours.
with schemas as (
  select n.oid, n.nspname as name, n.nspname = 'public' as is_exposed
  from pg_namespace n
  where n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
),
tables as (
  select c.oid, s.name || '.' || c.relname as name, s.name as schema, s.is_exposed, c.relkind as kind,
         c.relrowsecurity as has_policies_on, c.reloptions as options,
         has_any_column_privilege('anon', c.oid, 'SELECT') as is_for_anon,
         has_any_column_privilege('authenticated', c.oid, 'SELECT') as is_for_authenticated
  from pg_class c
  join schemas s on s.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f')
),
columns as (
  select t.name as table_name, t.is_exposed, t.has_policies_on, t.kind, t.is_for_anon or t.is_for_authenticated as is_readable,
         a.attname as name, a.atttypid as type
  from tables t
  join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
),
policies as (
  select t.name as table_name, t.has_policies_on, p.polname as name, p.polcmd as command, p.polpermissive as is_permissive,
         -- 0 is PUBLIC.
         array(select case when r = 0 then 'public' else r::regrole::text end from unnest(p.polroles) as r) as roles,
         pg_get_expr(p.polqual, p.polrelid) as using_expression,
         pg_get_expr(p.polwithcheck, p.polrelid) as check_expression
  from pg_policy p
  join tables t on t.oid = p.polrelid
),
expressions as (
  select p.table_name || ': ' || p.name as name, e as text
  from policies p
  cross join unnest(array[p.using_expression, p.check_expression]) as e
  where e is not null
),
indexes as (
  select t.name || ': ' || c.relname as name, i.indrelid, i.indisprimary, i.indisvalid, i.indpred is not null as is_partial, i.indexrelid,
         string_to_array(i.indkey::text, ' ')::smallint[] as keys,
         row(c.relam, i.indkey::text, i.indclass::text, i.indoption::text, i.indcollation::text,
             pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid))::text as definition
  from pg_index i
  join pg_class c on c.oid = i.indexrelid
  join tables t on t.oid = i.indrelid
),
foreign_keys as (
  select t.name || ': ' || k.conname as name, t.schema, k.conrelid, k.conkey, k.confrelid, k.conindid
  from pg_constraint k
  join tables t on t.oid = k.conrelid
  where k.contype = 'f'
),
functions as (
  select s.name || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' as name,
         s.name as schema, p.prosecdef as has_owners_rights, p.prorettype = 'trigger'::regtype as is_trigger,
         exists (select from unnest(p.proconfig) as c where c like 'search\_path=%') as has_path,
         has_function_privilege('anon', p.oid, 'EXECUTE') as is_for_anon,
         has_function_privilege('authenticated', p.oid, 'EXECUTE') as is_for_authenticated
  from pg_proc p
  join schemas s on s.oid = p.pronamespace
  where not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
)

-- 0001: deleting what it refers to reads the whole table.
select 'unindexed_foreign_keys' as lint, k.name as object
from foreign_keys k
where not exists (
  select from indexes i
  where i.indrelid = k.conrelid and i.indisvalid and not i.is_partial and i.keys[1:cardinality(k.conkey)] @> k.conkey
)
union all
-- 0002: a view that reads what the service of identities keeps; splinter looks at auth.users alone.
select distinct 'auth_users_exposed', t.name
from tables t
join pg_rewrite r on r.ev_class = t.oid
join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
join tables kept on kept.oid = d.refobjid and kept.schema = 'auth'
where t.is_exposed and t.kind in ('v', 'm') and (t.is_for_anon or t.is_for_authenticated)
union all
-- 0003: asked again for each row. What stands behind a `select` is asked once.
select distinct 'auth_rls_initplan', e.name
from expressions e
where regexp_replace(e.text, 'select\s+(auth\.\w+|current_setting)\(', '', 'gi') ~ '(\mauth\.(uid|jwt|role|email)|\mcurrent_setting)\('
union all
-- 0004
select 'no_primary_key', t.name
from tables t
where t.kind in ('r', 'p') and not exists (select from indexes i where i.indrelid = t.oid and i.indisprimary)
union all
-- 0006: two ways in for one role and one kind of statement.
select 'multiple_permissive_policies', p.table_name || ' ' || action || ' for ' || role
from policies p
cross join unnest(p.roles) as role
cross join unnest(case when p.command = '*' then '{r,a,w,d}'::text[] else array[p.command::text] end) as action
where p.is_permissive
group by p.table_name, role, action
having count(*) > 1
union all
-- 0007
select distinct 'policy_exists_rls_disabled', p.table_name
from policies p
where not p.has_policies_on
union all
-- 0008
select 'rls_enabled_no_policy', t.name
from tables t
where t.has_policies_on and not exists (select from policies p where p.table_name = t.name)
union all
-- 0009: also a unique index beside one that is not.
select 'duplicate_index', string_agg(i.name, ', ' order by i.name)
from indexes i
group by i.indrelid, i.definition
having count(*) > 1
union all
-- 0010: runs with the rights of its owner.
select 'security_definer_view', t.name
from tables t
where t.is_exposed and t.kind = 'v' and not exists (
  select from pg_options_to_table(t.options) o where o.option_name = 'security_invoker' and o.option_value::boolean
)
union all
-- 0011
select 'function_search_path_mutable', f.name
from functions f
where not f.has_path
union all
-- 0013
select 'rls_disabled_in_public', t.name
from tables t
where t.is_exposed and t.kind in ('r', 'p') and not t.has_policies_on
union all
-- 0014
select 'extension_in_public', e.extname
from pg_extension e
join schemas s on s.oid = e.extnamespace
where s.is_exposed
union all
-- 0015: what a user writes about themselves decides nothing.
select distinct 'rls_references_user_metadata', e.name
from expressions e
where e.text ~ 'user_meta_?data'
union all
-- 0016
select 'materialized_view_in_api', t.name
from tables t
where t.is_exposed and t.kind = 'm' and (t.is_for_anon or t.is_for_authenticated)
union all
-- 0017
select 'foreign_table_in_api', t.name
from tables t
where t.is_exposed and t.kind = 'f' and (t.is_for_anon or t.is_for_authenticated)
union all
-- 0018: keeps pg_upgrade from working.
select 'unsupported_reg_types', c.table_name || '.' || c.name
from columns c
where c.kind in ('r', 'p') and c.type in (
  'regcollation'::regtype, 'regconfig'::regtype, 'regdictionary'::regtype, 'regnamespace'::regtype,
  'regoper'::regtype, 'regoperator'::regtype, 'regproc'::regtype, 'regprocedure'::regtype
)
union all
-- 0019: a queue of the extension pgmq.
select 'insecure_queue_exposed_in_api', t.name
from tables t
where t.schema = 'pgmq' and t.kind in ('r', 'p') and t.name ~ '\.[qa]_' and not t.has_policies_on
union all
-- 0021: unique constraints of `auth` are not promised to stay.
select 'fkey_to_auth_unique', k.name
from foreign_keys k
join tables kept on kept.oid = k.confrelid and kept.schema = 'auth'
join indexes i on i.indexrelid = k.conindid
where k.schema <> 'auth' and not i.indisprimary
union all
-- 0022
select 'extension_versions_outdated', e.extname
from pg_extension e
join pg_available_extensions a on a.name = e.extname
where e.extversion <> a.default_version
union all
-- 0023
select 'sensitive_columns_exposed', c.table_name || '.' || c.name
from columns c
where c.is_exposed and c.is_readable and c.kind in ('r', 'p') and not c.has_policies_on
  and c.name ~* '(password|passwd|pwd|secret|api_?key|token|jwt|auth_code|otp|ssn|passport|national_id|tax_id|driver_license|credit_card|card_number|cvv|account_number|bank_account|routing_number|iban|swift|medical|health|diagnosis|biometric|fingerprint|mac_address|imei|ssh_key|pgp_key|certificate)'
union all
-- 0024: a policy that lets the public roles write everything. Reading may be meant for all.
select distinct 'rls_policy_always_true', p.table_name || ': ' || p.name
from policies p
cross join unnest(array[p.using_expression, p.check_expression]) as e
where p.is_permissive and p.command <> 'r' and p.roles && '{public,anon,authenticated}'
  and (coalesce(p.using_expression, p.check_expression) is null or regexp_replace(e, '[()\s]', '', 'g') in ('true', '1=1'))
union all
-- 0026: splinter minds it where pg_graphql publishes what anon may read; here anon may read nothing.
select 'pg_graphql_anon_table_exposed', t.name
from tables t
where t.is_for_anon
union all
-- 0028
select 'anon_security_definer_function_executable', f.name
from functions f
where f.has_owners_rights and f.is_for_anon
union all
-- 0029
select 'authenticated_security_definer_function_executable', f.name
from functions f
where f.has_owners_rights and f.is_for_authenticated
union all
-- 0030
select 'autovacuum_disabled', t.name
from tables t
where exists (
  select from pg_options_to_table(t.options) o where o.option_name = 'autovacuum_enabled' and not o.option_value::boolean
)
union all
-- 0030, of which there are three: left behind by an index that could not be built.
select 'invalid_index', i.name
from indexes i
where not i.indisvalid
union all
-- 0030: a policy that a null auth.uid() satisfies. Stricter than splinter's: wherever it stands in the policy.
select distinct 'rls_policy_null_auth_disjunct', e.name
from expressions e
where e.text ~* '(auth\.(uid|jwt|role|email)\(\)|current_setting\([^()]*\))(\s+as\s+\w+)?\)*\s+is\s+null'
