/**
 * Describes every object of a migrated database in one line each, so that two databases can be compared. Covers what
 * pg_dump writes and also works on the embedded engine.
 */
import type { Owner } from '#server/database/database.ts'

const schemas = 'public private ledger auth realtime rest'

/** Privileges as text, in an order that does not depend on the order of the grants. */
const grants = (acl: string) => `(
  select string_agg(format('%s=%s%s/%s', coalesce(nullif(e.grantee, 0)::regrole::text, 'public'), e.privilege_type,
      case when e.is_grantable then '*' end, e.grantor::regrole),
    ' ' order by e.grantee::regrole::text collate "C", e.privilege_type, e.grantor::regrole::text collate "C")
  from aclexplode(${acl}) as e)`

const statement = `
with ours as (select n.oid, n.nspname, n.nspowner, n.nspacl from pg_namespace n where n.nspname = any (string_to_array($1, ' '))),
relation as (select c.*, c.oid::regclass::text as name from pg_class c where c.relnamespace in (select oid from ours))
select format('schema %s owner %s grants %s comment %s', n.nspname, n.nspowner::regrole, ${grants('n.nspacl')},
    obj_description(n.oid, 'pg_namespace')) as line
from ours n
union all
select format('relation %s kind %s persistence %s options %s replica identity %s row security %s %s owner %s grants %s view %s comment %s',
    c.name, c.relkind, c.relpersistence, c.reloptions, c.relreplident, c.relrowsecurity, c.relforcerowsecurity,
    c.relowner::regrole, ${grants('c.relacl')}, case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end,
    obj_description(c.oid, 'pg_class'))
from relation c where c.relkind not in ('i', 'I', 't')
union all
select format('column %s.%s number %s type %s not null %s default %s identity %s generated %s collation %s statistics %s grants %s comment %s',
    c.name, a.attname, a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, pg_get_expr(d.adbin, d.adrelid),
    a.attidentity, a.attgenerated, a.attcollation::regcollation, a.attstattarget, ${grants('a.attacl')},
    col_description(c.oid, a.attnum))
from relation c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
where c.relkind not in ('i', 'I', 't')
union all
select format('constraint %s on %s: %s validated %s deferrable %s deferred %s comment %s', k.conname,
    k.conrelid::regclass, pg_get_constraintdef(k.oid), k.convalidated, k.condeferrable, k.condeferred,
    obj_description(k.oid, 'pg_constraint'))
from pg_constraint k where k.conrelid in (select oid from relation) and k.contype in ('c', 'f', 'p', 'u', 'x')
union all
select format('index %s valid %s identity %s clustered %s comment %s', pg_get_indexdef(i.indexrelid), i.indisvalid,
    i.indisreplident, i.indisclustered, obj_description(i.indexrelid, 'pg_class'))
from pg_index i where i.indrelid in (select oid from relation where relkind <> 't')
union all
select format('trigger %s enabled %s comment %s', pg_get_triggerdef(t.oid), t.tgenabled,
    obj_description(t.oid, 'pg_trigger'))
from pg_trigger t where t.tgrelid in (select oid from relation) and not t.tgisinternal
union all
select format('function %s owner %s grants %s comment %s', pg_get_functiondef(p.oid), p.proowner::regrole,
    ${grants("coalesce(p.proacl, acldefault('f', p.proowner))")}, obj_description(p.oid, 'pg_proc'))
from pg_proc p where p.pronamespace in (select oid from ours) and p.prokind in ('f', 'p')
union all
select format('type %s kind %s owner %s grants %s comment %s', t.oid::regtype, t.typtype, t.typowner::regrole,
    ${grants('t.typacl')}, obj_description(t.oid, 'pg_type'))
from pg_type t where t.typnamespace in (select oid from ours) and t.typelem = 0
union all
select format('policy %s on %s permissive %s for %s to %s using %s check %s comment %s', p.polname,
    p.polrelid::regclass, p.polpermissive, p.polcmd,
    (select string_agg(coalesce(nullif(r, 0)::regrole::text, 'public'), ' ' order by r::regrole::text collate "C")
     from unnest(p.polroles) as r),
    pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid), obj_description(p.oid, 'pg_policy'))
from pg_policy p where p.polrelid in (select oid from relation)
union all
select format('default privileges of %s in %s for %s: %s', d.defaclrole::regrole, n.nspname, d.defaclobjtype,
    ${grants('d.defaclacl')})
from pg_default_acl d left join pg_namespace n on n.oid = d.defaclnamespace
union all
select format('publication %s table %s columns %s rows %s', p.pubname, r.prrelid::regclass, r.prattrs,
    pg_get_expr(r.prqual, r.prrelid))
from pg_publication p left join pg_publication_rel r on r.prpubid = p.oid
union all
select format('event trigger %s on %s tags %s calls %s enabled %s', e.evtname, e.evtevent, e.evttags,
    e.evtfoid::regproc, e.evtenabled)
from pg_event_trigger e`

/** Returns one line for each object and each row of a new database, sorted. */
export async function catalogueLines(owner: Owner): Promise<string[]> {
  const objects = await owner.query<{ line: string }>({ text: statement, values: [schemas] })
  const tables = await owner.query<{ name: string }>({
    text: `select format('%I.%I', schemaname, tablename) as name from pg_tables
           where schemaname in ('public', 'private', 'ledger')`,
    values: [],
  })
  const rows: string[] = []
  for (const { name } of tables) {
    const found = await owner.query<{ row: string }>({
      text: `select t::text as row from ${name} t`,
      values: [],
    })
    rows.push(...found.map(({ row }) => `row of ${name} ${row}`))
  }
  return [...objects.map(({ line }) => line), ...rows].toSorted(byText)
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1
}
