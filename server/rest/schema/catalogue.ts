/**
 * Reads tables, views, keys and functions from PostgreSQL's catalogue (PostgREST v16, SchemaCache.hs). Keys are read
 * from all schemas, because a view in `public` may show columns of a table in another schema.
 */
import type { SqlStatement } from '#database/database.ts'
import type { Column, NamedTable, SqlFunction, Table, TableColumn } from './schema.ts'

/** A table or view in schema `public`. */
export type CatalogueTable = Pick<NamedTable, 'name'> & {
  /** The oid by which keys and views refer to the table or view. */
  readonly oid: number
  readonly columns: readonly (TableColumn & { readonly number: number; readonly isIndexed: boolean })[]
  /**
   * The sort orders that b-tree indexes provide for an `order by` that lists only columns. Partial indexes and indexes
   * on expressions do not count. Empty for a partitioned table.
   */
  readonly indexes: Table['indexes']
  /** The view's query in the form in which PostgreSQL stores it (`pg_node_tree`); `null` for a table. */
  readonly viewQuery: string | null
}

/** The keys of all tables. Tables are identified by oid, and columns by number. */
export type CatalogueKeys = {
  readonly primary: readonly { readonly table: number; readonly columns: readonly number[] }[]
  readonly foreign: readonly {
    readonly name: string
    readonly table: number
    readonly columns: readonly number[]
    readonly target: number
    readonly targetColumns: readonly number[]
    /**
     * Whether the columns are unique in their own table. If the columns are unique, the key links one row to one row.
     */
    readonly isUnique: boolean
  }[]
  /**
   * The comments on check constraints, by constraint name. If a request violates the constraint, the comment is the
   * error message.
   */
  readonly constraintMessages: Readonly<Record<string, string>>
}

/** A function in schema `public`. */
export type CatalogueFunction = Omit<SqlFunction, 'row' | 'returnsNothing'> & {
  /** The oid of the table whose rows the function returns; 0 if it does not return a table's rows. */
  readonly returnedTable: number
  /**
   * The columns that the function returns if its row type does not belong to a table; empty if it returns single
   * values.
   */
  readonly returnedColumns: readonly Column[]
}

/** The catalogue data about all objects that requests can name. */
export type Catalogue = {
  readonly tables: readonly CatalogueTable[]
  readonly keys: CatalogueKeys
  readonly functions: readonly CatalogueFunction[]
}

/** Returns `CatalogueTable[]`. */
const tablesSql = `
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', c.relname,
    'oid', c.oid::bigint,
    'columns', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', a.attname,
        'number', a.attnum,
        'type', format_type(a.atttypid, -1),
        'isNullable', not a.attnotnull,
        'defaultSql', case
          when a.attgenerated <> '' then null
          when a.attidentity <> '' then format(
            'nextval(%L::regclass)', pg_get_serial_sequence(quote_ident('public') || '.' || quote_ident(c.relname), a.attname)
          )
          else coalesce(pg_get_expr(d.adbin, d.adrelid), (
            select pg_get_expr(t.typdefaultbin, 0) from pg_type t where t.oid = a.atttypid
          ))
        end,
        'isIndexed', exists (
          select from pg_index i
          join pg_attribute b on b.attrelid = i.indrelid and b.attnum = any ((i.indkey::int2[])[0:i.indnkeyatts - 1])
          where i.indisvalid and (
            (b.attrelid = c.oid and b.attnum = a.attnum)
            -- For a view, the column counts as indexed if it shows an indexed column with the same name. The planner
            -- can then use the index through the view.
            or (c.relkind = 'v' and b.attname = a.attname and exists (
              select from pg_rewrite r
              join pg_depend k on k.classid = 'pg_rewrite'::regclass and k.objid = r.oid
                and k.refclassid = 'pg_class'::regclass and k.refobjid = b.attrelid and k.refobjsubid = b.attnum
              where r.ev_class = c.oid
            ))
          )
        )
      ) order by a.attnum), '[]')
      from pg_attribute a
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ),
    'indexes', (
      select coalesce(jsonb_agg(key.columns), '[]')
      from pg_index i
      join pg_class ic on ic.oid = i.indexrelid
      join pg_am am on am.oid = ic.relam and am.amname = 'btree'
      cross join lateral (
        select
          jsonb_agg(jsonb_build_object('name', a.attname, 'isDescending', k.option = 3) order by k.position) as columns,
          bool_and(k.option in (0, 3) and k.sorting = a.attcollation and o.opcdefault) as is_default
        from unnest(i.indkey::int2[], i.indoption::int2[], i.indcollation::oid[], i.indclass::oid[])
          with ordinality as k (number, option, sorting, operators, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
        join pg_opclass o on o.oid = k.operators
        where k.position <= i.indnkeyatts
      ) key
      where i.indrelid = c.oid and i.indisvalid and i.indpred is null and i.indexprs is null and c.relkind = 'r' and key.is_default
    ),
    'viewQuery', (
      select r.ev_action::text from pg_rewrite r where r.ev_class = c.oid and r.rulename = '_RETURN'
    )
  ) order by c.relname), '[]')
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
    -- Partitions are excluded, because a request that named a partition would bypass the policies of the partitioned
    -- table.
    and not c.relispartition`

/** Returns `CatalogueKeys`. */
const keysSql = `
  select jsonb_build_object(
    'primary', coalesce(jsonb_agg(jsonb_build_object('table', k.conrelid::bigint, 'columns', k.conkey))
      filter (where k.contype = 'p'), '[]'),
    'foreign', coalesce(jsonb_agg(jsonb_build_object(
      'name', k.conname,
      'table', k.conrelid::bigint,
      'columns', k.conkey,
      'target', k.confrelid::bigint,
      'targetColumns', k.confkey,
      'isUnique', exists (
        select
        from pg_constraint u
        where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey <@ k.conkey
      )
    ) order by k.conname) filter (where k.contype = 'f'), '[]'),
    'constraintMessages', coalesce(jsonb_object_agg(k.conname, d.description)
      filter (where k.contype = 'c' and d.description is not null), '{}')
  )
  from pg_constraint k
  left join pg_description d on d.classoid = 'pg_constraint'::regclass and d.objoid = k.oid and k.contype = 'c'
  where k.contype in ('p', 'f', 'c') and k.conparentid = 0`

// A function's arguments with their modes: i(n), o(ut), b(oth), v(ariadic) and t(able column). If a function has only
// input arguments, its list of modes is null. The numbering of defaults counts only input arguments.
const argumentsSql = `
  select
    argument.position,
    p.proargnames[argument.position] as name,
    format_type(argument.type, -1) as type,
    coalesce(p.proargmodes[argument.position], 'i') as direction
  from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as argument (type, position)`

/** Returns `CatalogueFunction[]`. */
const functionsSql = `
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', p.proname,
    'parameters', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', taken.name, 'type', taken.type, 'hasDefault', taken.place > p.pronargs - p.pronargdefaults,
        'isVariadic', taken.direction = 'v'
      ) order by taken.place), '[]')
      from (
        select a.*, row_number() over (order by a.position) as place from (${argumentsSql}) a where a.direction in ('i', 'b', 'v')
      ) taken
    ),
    'isVolatile', p.provolatile = 'v',
    'returnsSet', p.proretset,
    'returnedType', format_type(p.prorettype, -1),
    'returnedTable', coalesce((
      select c.oid::bigint from pg_class c where c.oid = t.typrelid and c.relkind <> 'c'
    ), 0),
    'returnedColumns', case
      -- This also applies to a single column if its output argument has a name. If a function has several output
      -- arguments, an unnamed argument is named after its position.
      when t.typrelid = 0 and p.proargmodes && '{o,b,t}' then (
        select coalesce(
          jsonb_agg(jsonb_build_object('name', coalesce(a.name, 'column' || a.place), 'type', a.type) order by a.place)
            filter (where a.name is not null or t.typtype = 'p'),
          '[]'
        )
        from (
          select nullif(a.name, '') as name, a.type, row_number() over (order by a.position) as place
          from (${argumentsSql}) a
          where a.direction in ('o', 'b', 't')
        ) a
      )
      else (
        select coalesce(jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, -1)) order by a.attnum), '[]')
        from pg_attribute a
        where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped
      )
    end
  ) order by p.proname, p.oid), '[]')
  from pg_proc p
  join pg_type r on r.oid = p.prorettype
  -- A function that returns a domain is treated as if it returned the domain's base type.
  join pg_type t on t.oid = case when r.typtype = 'd' then r.typbasetype else r.oid end
  where p.pronamespace = 'public'::regnamespace
    and p.prokind = 'f'
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    -- Excludes functions that return a record without output arguments, because the caller would have to define the
    -- columns.
    and (p.prorettype <> 'record'::regtype or p.proargmodes is not null)
    -- Excludes functions with unnamed arguments, because calls name every argument.
    and (p.pronargs = 0 or (p.proargnames is not null and '' <> all (p.proargnames[1:p.pronargs])))`

/** The statement that reads the whole catalogue as one row. Every role may read the catalogue. */
export const catalogueStatement: SqlStatement<Catalogue> = {
  text: `select (${tablesSql}) as tables, (${keysSql}) as keys, (${functionsSql}) as functions`,
  values: [],
}
