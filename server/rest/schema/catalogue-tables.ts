/**
 * Tables, views and keys as the catalogue has them (PostgREST v16, SchemaCache.hs). Keys are read from
 * all schemas: a view here may show the columns of a table there.
 */

/** A column and its type, as a cast to any length writes it: `bpchar`, for `character` alone means one of them. */
export type CatalogueColumn = { readonly name: string; readonly type: string }

/** A table or view of schema `public`. */
export type CatalogueTable = {
  readonly name: string
  /** The object's number, by which keys and views refer to it. */
  readonly oid: number
  readonly comment: string | null
  readonly columns: readonly (CatalogueColumn & {
    readonly number: number
    readonly comment: string | null
    readonly is_nullable: boolean
    /** What PostgreSQL puts where an insert says nothing, as an expression; `null` for nothing. */
    readonly default_sql: string | null
    readonly is_generated: boolean
    readonly is_indexed: boolean
  })[]
  /** What a view selects, as PostgreSQL keeps it (`pg_node_tree`); `null` for a table. */
  readonly view_query: string | null
}

/** The keys of all tables, with tables and columns by number. */
export type CatalogueKeys = {
  readonly primary: readonly { readonly table: number; readonly columns: readonly number[] }[]
  readonly foreign: readonly {
    readonly name: string
    readonly table: number
    readonly columns: readonly number[]
    readonly target: number
    readonly target_columns: readonly number[]
    /** Whether the columns are unique in their own table: then the key links one row to one row. */
    readonly is_unique: boolean
  }[]
  /** Comments of check constraints by their names: the message of a violation. */
  readonly constraint_messages: Readonly<Record<string, string>>
}

/** Answers `CatalogueTable[]`. */
export const tablesSql = `
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', c.relname,
    'oid', c.oid::bigint,
    'comment', obj_description(c.oid, 'pg_class'),
    'columns', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', a.attname,
        'number', a.attnum,
        'type', format_type(a.atttypid, -1),
        'comment', col_description(c.oid, a.attnum),
        'is_nullable', not a.attnotnull,
        'default_sql', case
          when a.attgenerated <> '' then null
          when a.attidentity <> '' then format(
            'nextval(%L::regclass)', pg_get_serial_sequence(quote_ident('public') || '.' || quote_ident(c.relname), a.attname)
          )
          else coalesce(pg_get_expr(d.adbin, d.adrelid), (
            select pg_get_expr(t.typdefaultbin, 0) from pg_type t where t.oid = a.atttypid
          ))
        end,
        'is_generated', a.attgenerated <> '' or a.attidentity = 'a',
        'is_indexed', exists (select from pg_index i where i.indrelid = c.oid and i.indisvalid and a.attnum = any (i.indkey))
      ) order by a.attnum), '[]')
      from pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ),
    'view_query', (
      select r.ev_action::text from pg_rewrite r where r.ev_class = c.oid and r.rulename = '_RETURN'
    )
  ) order by c.relname), '[]')
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    -- A partition that is named itself would not have its table's policies.
    and not c.relispartition`

/** Answers `CatalogueKeys`. */
export const keysSql = `
  select jsonb_build_object(
    'primary', coalesce(jsonb_agg(jsonb_build_object('table', k.conrelid::bigint, 'columns', k.conkey))
      filter (where k.contype = 'p'), '[]'),
    'foreign', coalesce(jsonb_agg(jsonb_build_object(
      'name', k.conname,
      'table', k.conrelid::bigint,
      'columns', k.conkey,
      'target', k.confrelid::bigint,
      'target_columns', k.confkey,
      'is_unique', exists (
        select
        from pg_constraint u
        where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey <@ k.conkey
      )
    ) order by k.conname) filter (where k.contype = 'f'), '[]'),
    'constraint_messages', coalesce(jsonb_object_agg(k.conname, d.description)
      filter (where k.contype = 'c' and d.description is not null), '{}')
  )
  from pg_constraint k
  left join pg_description d on d.classoid = 'pg_constraint'::regclass and d.objoid = k.oid and k.contype = 'c'
  where k.contype in ('p', 'f', 'c') and k.conparentid = 0`
