/** Reads the tables, the foreign keys, the triggers and the functions of clients in a migrated database. */
import { type Owner, sql } from '#server/database/database.ts'

export type Table = {
  readonly schema: string
  readonly name: string
  readonly comment: string | null
  /** The columns of the primary key and of foreign keys, in the order of the table. */
  readonly keys: readonly { readonly name: string; readonly type: string; readonly isPrimary: boolean }[]
}

export type ForeignKey = {
  /** Name of the table with its schema. */
  readonly from: string
  readonly to: string
  readonly columns: readonly string[]
  /** The referencing columns are the primary key or are unique. */
  readonly isOneToOne: boolean
  readonly deletes: string
}

export type Trigger = {
  readonly table: string
  readonly name: string
  readonly calls: string
  readonly events: string
  /** The moment at which it fires, as a sort key from 0 (before the statement) to 4 (at commit). */
  readonly phase: number
}

/** A function that clients call, with the kinds of clients that may call it at all. */
export type ClientFunction = {
  readonly name: string
  readonly callers: string
  readonly comment: string | null
}

const schemas = 'public private ledger auth realtime rest'

/** Lists the functions of the schema `public`. A policy or the function itself may refuse some of the callers. */
export function readClientFunctions(owner: Owner): Promise<ClientFunction[]> {
  return owner.query(sql<ClientFunction>`
    select p.proname as name, obj_description(p.oid, 'pg_proc') as comment, (
      select string_agg(r.role, ', ' order by r.role)
      from unnest(array['anon', 'authenticated', 'service_role']) as r (role)
      where has_function_privilege(r.role, p.oid, 'execute')
    ) as callers
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
    order by p.proname collate "C"`)
}

export function readTables(owner: Owner): Promise<Table[]> {
  return owner.query(sql<Table>`
    select n.nspname as schema, c.relname as name, obj_description(c.oid, 'pg_class') as comment,
      coalesce((
        select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null),
          'isPrimary', exists (select from pg_constraint k
            where k.conrelid = c.oid and k.contype = 'p' and a.attnum = any (k.conkey))) order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and exists (select from pg_constraint k
          where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any (k.conkey))
      ), '[]') as keys
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname = any (string_to_array(${schemas}, ' '))
    order by n.nspname collate "C", c.relname collate "C"`)
}

export function readForeignKeys(owner: Owner): Promise<ForeignKey[]> {
  return owner.query(sql<ForeignKey>`
    select k.conrelid::regclass::text as from, k.confrelid::regclass::text as to,
      (select json_agg(a.attname order by p.place)
       from unnest(k.conkey) with ordinality as p (number, place)
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.number) as columns,
      exists (select from pg_index i where i.indrelid = k.conrelid and i.indisunique and i.indpred is null
        and i.indkey::int2[] <@ k.conkey) as "isOneToOne",
      case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' else 'refuse' end as deletes
    from pg_constraint k
    where k.contype = 'f' and k.connamespace::regnamespace::text = any (string_to_array(${schemas}, ' '))
    order by k.conrelid::regclass::text collate "C", k.conname collate "C"`)
}

export function readTriggers(owner: Owner): Promise<Trigger[]> {
  return owner.query(sql<Trigger>`
    select t.tgrelid::regclass::text as table, t.tgname as name, t.tgfoid::regproc::text as calls,
      concat_ws(', ', case when t.tgtype & 4 > 0 then 'insert' end, case when t.tgtype & 16 > 0 then 'update' end,
        case when t.tgtype & 8 > 0 then 'delete' end, case when t.tgtype & 32 > 0 then 'truncate' end) as events,
      case when t.tginitdeferred then 4 when t.tgtype & 2 > 0 then t.tgtype & 1 else 3 - (t.tgtype & 1) end as phase
    from pg_trigger t
    where not t.tgisinternal
    order by t.tgrelid::regclass::text collate "C", phase, t.tgname collate "C"`)
}

/** Returns a name with its schema. PostgreSQL leaves the schema out of a name that the search path finds. */
export function withSchema(object: string): string {
  return object.includes('.') ? object : `public.${object}`
}
