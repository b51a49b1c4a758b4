-- Finds problems that the authorization matrix cannot show. The rules, their numbers and their names come from
-- Supabase's database linter (splinter). Returns one row (lint, object) for each finding. Unlike splinter, this
-- query also checks the platform's schemas, such as `auth` and `realtime`, because they are part of this product.
with tables as (
  select c.oid, n.nspname || '.' || c.relname as name, n.nspname as schema
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
),
policies as (
  select t.name || ': ' || p.polname as name, t.name as table_name, p.*
  from pg_policy p
  join tables t on t.oid = p.polrelid
),
indexes as (
  select t.name || ': ' || c.relname as name, i.*, string_to_array(i.indkey::text, ' ')::smallint[] as keys,
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
)

-- 0001: foreign keys without an index. Deleting a referenced row would read the whole referencing table.
select 'unindexed_foreign_keys' as lint, k.name as object
from foreign_keys k
where not exists (
  select from indexes i
  where i.indrelid = k.conrelid and i.indisvalid and i.indpred is null and i.keys[1:cardinality(k.conkey)] @> k.conkey
)
union all
-- 0003: policies that call a function directly. The call runs once for each row, but if it is inside a `select`, it
-- runs only once for each statement.
select distinct 'auth_rls_initplan', p.name
from policies p
cross join unnest(array[pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)]) as e
where regexp_replace(e, 'select\s+(auth\.\w+|current_setting)\(', '', 'gi') ~ '(\mauth\.(uid|jwt|role|email)|\mcurrent_setting)\('
union all
-- 0004: tables without a primary key.
select 'no_primary_key', t.name
from tables t
where not exists (select from indexes i where i.indrelid = t.oid and i.indisprimary)
union all
-- 0006: several permissive policies for the same role and the same kind of statement.
select 'multiple_permissive_policies', p.table_name || ' ' || action || ' for ' || role
from policies p
cross join unnest(p.polroles) as role
cross join unnest(case when p.polcmd = '*' then '{r,a,w,d}'::text[] else array[p.polcmd::text] end) as action
where p.polpermissive
group by p.table_name, role, action
having count(*) > 1
union all
-- 0009: identical indexes, even if only one of them is unique.
select 'duplicate_index', string_agg(i.name, ', ' order by i.name)
from indexes i
group by i.indrelid, i.definition
having count(*) > 1
union all
-- 0021: foreign keys that reference a unique constraint in `auth`. A hosted project may remove that constraint.
select 'fkey_to_auth_unique', k.name
from foreign_keys k
join tables kept on kept.oid = k.confrelid and kept.schema = 'auth'
join indexes i on i.indexrelid = k.conindid
where k.schema <> 'auth' and not i.indisprimary
