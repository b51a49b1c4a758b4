/** SQL functions that can be called by the names of their arguments (PostgREST v16, SchemaCache.hs, allFunctions). */
import type { CatalogueColumn } from './catalogue-tables.ts'

/** A function of schema `public`. */
export type CatalogueFunction = {
  readonly name: string
  readonly comment: string | null
  readonly parameters: readonly (CatalogueColumn & { readonly has_default: boolean })[]
  /** `i`mmutable, `s`table or `v`olatile. */
  readonly volatility: 'i' | 's' | 'v'
  readonly returns_set: boolean
  /** The type of one value that it answers; `void` for nothing. */
  readonly returned_type: string
  /** The number of the table whose rows it answers; 0 for anything else. */
  readonly returned_table: number
  /** The columns of one row that it answers, whose type is no table's; empty for a single value. */
  readonly returned_columns: readonly CatalogueColumn[]
}

// Arguments with their directions: i(n), o(ut), b(oth), v(ariadic), t(able column). Functions without any
// argument that comes back have no list of directions, and the numbering of defaults counts only what goes in.
const argumentsSql = `
  select
    argument.position,
    p.proargnames[argument.position] as name,
    format_type(argument.type, -1) as type,
    coalesce(p.proargmodes[argument.position], 'i') as direction
  from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality as argument (type, position)`

/** Answers `CatalogueFunction[]`. */
export const functionsSql = `
  select coalesce(jsonb_agg(jsonb_build_object(
    'name', p.proname,
    'comment', obj_description(p.oid, 'pg_proc'),
    'parameters', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'name', taken.name, 'type', taken.type, 'has_default', taken.place > p.pronargs - p.pronargdefaults
      ) order by taken.place), '[]')
      from (
        select a.*, row_number() over (order by a.position) as place from (${argumentsSql}) a where a.direction in ('i', 'b')
      ) taken
    ),
    'volatility', p.provolatile,
    'returns_set', p.proretset,
    'returned_type', format_type(p.prorettype, -1),
    'returned_table', coalesce((
      select c.oid::bigint from pg_class c where c.oid = t.typrelid and c.relkind <> 'c'
    ), 0),
    'returned_columns', case
      -- Also a single one, where its answer has a name; among several one without is named by its place.
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
  -- A domain answers what the type below it does.
  join pg_type t on t.oid = case when r.typtype = 'd' then r.typbasetype else r.oid end
  where p.pronamespace = 'public'::regnamespace
    and p.prokind = 'f'
    and p.provariadic = 0
    and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    -- A record without columns would have to be described by the caller.
    and (p.prorettype <> 'record'::regtype or p.proargmodes is not null)
    -- An argument without a name has no place in a named call.
    and (p.pronargs = 0 or (p.proargnames is not null and '' <> all (p.proargnames[1:p.pronargs])))`
