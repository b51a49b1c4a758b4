/**
 * Reads from the catalogue which tables must be saved, so that backups include new tables automatically. This file
 * lists the excluded tables with the reasons for their exclusion.
 */
import { type Owner, sql } from '#database/database.ts'

/** One table to save and load. */
export type Table = {
  /** `schema.table`, as shown in messages and stored in the file. */
  readonly name: string
  /** `schema.table`, quoted for SQL. */
  readonly sql: string
  /**
   * The stored columns in the order of the table. Generated columns are left out, because PostgreSQL computes them
   * again.
   */
  readonly columns: readonly { readonly name: string; readonly sql: string; readonly type: string }[]
  /** The primary key, or `null`. Rows that are sorted by this key have the same order on every server. */
  readonly key: string | null
  /** Tables to which the table's foreign keys refer. */
  readonly refersTo: readonly string[]
}

export const leftOut: Readonly<Record<string, string>> = {
  'realtime.outbox':
    'changes that the server sends to open sockets, stored for ten minutes and numbered by this database',
  'realtime.epochs': 'the lifetimes of this database, each of which ends with a crash',
  'ledger.daily_check': 'the result of the last check of this database; a restore verifies the ledger again',
  'private.jobs': 'the turns of this database; the schema fills the table',
  'private.servers': 'the servers that ran on this database',
  'private.alarms': 'the reports of these servers; a restored bank has other servers',
  'private.mailed_alarms': 'the mails to the operator about these alarms',
  'private.synchronous_standby': 'whether this database had a synchronous standby',
  'finanzas_restore.unfinished': 'exists only while a backup is loaded',
  'supabase_migrations.schema_migrations': 'written by the migrations themselves; the manifest names them',
  'supabase_migrations.platform_migrations': 'written by the migrations themselves; the manifest names them',
}

/**
 * Returns all tables to save, sorted so that each comes after the tables to which it refers. Throws an `Error` if the
 * references form a cycle, because a restore could not load the backup.
 */
export async function readTables(owner: Owner): Promise<Table[]> {
  const tables = await owner.query<Table>(sql`
    select
      n.nspname || '.' || c.relname as name,
      format('%I.%I', n.nspname, c.relname) as sql,
      coalesce((
        select jsonb_agg(
          jsonb_build_object('name', a.attname, 'sql', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
          order by a.attnum
        )
        from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      ), '[]') as columns,
      (
        select string_agg(
          quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end,
          ', ' order by k.position
        )
        from pg_catalog.pg_index i
        cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, position)
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary
      ) as key,
      coalesce((
        select jsonb_agg(distinct fn.nspname || '.' || f.relname)
        from pg_catalog.pg_constraint r
        join pg_catalog.pg_class f on f.oid = r.confrelid
        join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
        where r.conrelid = c.oid and r.contype = 'f'
      ), '[]') as "refersTo"
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
      )
    order by (n.nspname || '.' || c.relname) collate "C"`)
  return inLoadingOrder(tables.filter(({ name }) => !Object.hasOwn(leftOut, name)))
}

/** Sorts each table after the tables to which it refers, and otherwise by name. */
function inLoadingOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = []
  const done = new Set<string>()
  while (ordered.length < tables.length) {
    const next = tables.find(
      ({ name, refersTo }) => !done.has(name) && refersTo.every((other) => done.has(other)),
    )
    if (next === undefined) {
      const stuck = tables.filter(({ name }) => !done.has(name)).map(({ name }) => name)
      throw new Error(`The foreign keys of these tables form a cycle: ${stuck.join(', ')}.`)
    }
    ordered.push(next)
    done.add(next.name)
  }
  return ordered
}
