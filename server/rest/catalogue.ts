/** The statement that reads the schema `public` from PostgreSQL's catalogue, and the rows that it answers. */
import { type SqlStatement, sql } from '#database/database.ts'

/** A column and its type, as a cast writes it. */
export type CatalogueColumn = { readonly name: string; readonly type: string }

/** A table or view of schema `public`, as the catalogue's row has it. */
export type CatalogueTable = {
  readonly name: string
  readonly columns: readonly CatalogueColumn[]
  readonly primary_key: readonly string[]
  readonly foreign_keys: readonly {
    readonly columns: readonly string[]
    readonly target: string
    readonly target_columns: readonly string[]
    /** Whether the columns are unique in their own table: then the key links one row to one row. */
    readonly is_unique: boolean
  }[]
}

/** A function of schema `public` that can be called by the names of its arguments. */
export type CatalogueFunction = {
  readonly name: string
  readonly parameters: readonly (CatalogueColumn & { readonly has_default: boolean })[]
  readonly returns_nothing: boolean
  readonly returns_set: boolean
}

/**
 * One row: the tables and views with their columns, keys and foreign keys among each other, and the
 * functions that can be called with named arguments. Every role may read the catalogue.
 */
export const catalogueStatement: SqlStatement<{
  tables: readonly CatalogueTable[]
  functions: readonly CatalogueFunction[]
}> = sql`
  with relations as (
    select c.oid, c.relname as name
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
  )
  select
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', r.name,
        'columns', (
          select coalesce(
            jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum),
            '[]'
          )
          from pg_attribute a
          where a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
        ),
        'primary_key', (
          select coalesce(jsonb_agg(a.attname order by key.position), '[]')
          from pg_constraint k
          cross join unnest(k.conkey) with ordinality as key (attnum, position)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.attnum
          where k.conrelid = r.oid and k.contype = 'p'
        ),
        'foreign_keys', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'columns', (
              select jsonb_agg(a.attname order by key.position)
              from unnest(k.conkey) with ordinality as key (attnum, position)
              join pg_attribute a on a.attrelid = k.conrelid and a.attnum = key.attnum
            ),
            'target', target.name,
            'target_columns', (
              select jsonb_agg(a.attname order by key.position)
              from unnest(k.confkey) with ordinality as key (attnum, position)
              join pg_attribute a on a.attrelid = k.confrelid and a.attnum = key.attnum
            ),
            'is_unique', exists (
              select
              from pg_constraint u
              where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey <@ k.conkey
            )
          ) order by k.conname), '[]')
          from pg_constraint k
          join relations target on target.oid = k.confrelid
          where k.conrelid = r.oid and k.contype = 'f' and k.conparentid = 0
        )
      )), '[]')
      from relations r
    ) as tables,
    (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', p.proname,
        'parameters', (
          select coalesce(
            jsonb_agg(
              jsonb_build_object(
                'name', p.proargnames[argument.position],
                'type', format_type(argument.type, null),
                'has_default', argument.position > p.pronargs - p.pronargdefaults
              )
              order by argument.position
            ),
            '[]'
          )
          from unnest(p.proargtypes::oid[]) with ordinality as argument (type, position)
        ),
        'returns_nothing', p.prorettype = 'void'::regtype,
        'returns_set', p.proretset
      )), '[]')
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and p.prokind = 'f'
        and p.provariadic = 0
        -- Arguments that come back, and arguments without a name, have no place in a named call.
        and p.proallargtypes is null
        and (p.pronargs = 0 or (p.proargnames is not null and '' <> all (p.proargnames)))
        and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    ) as functions`
