/**
 * The cells of the authorization matrix in SQL. Each cell combines an actor, a verb, and a relation, column or
 * function from the catalogue. Cells exist for the actor's own rows and for another user's rows.
 */
import { type Owner, sql } from '#server/database/database.ts'
import type { SqlCell } from './authorization-cell.ts'
import type { SqlActor } from './authorization-people.ts'
import { type Relation, productSchemas, relationCells } from './authorization-relation-cells.ts'
import { type Routine, routineCells } from './authorization-routine-cells.ts'

/** Lists the cells of all relations and functions in the catalogue. */
export async function listCells(owner: Owner, actors: readonly SqlActor[]): Promise<readonly SqlCell[]> {
  const administrator = actors.find(({ name }) => name === 'administrator')
  if (administrator === undefined) throw new Error('The administrator is missing.')
  const relations = await owner.query(sql<Relation>`
    select c.relname as name, n.nspname as schema, c.relkind::text as kind,
           (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
            from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
           coalesce((select jsonb_agg(a.attname order by a.attnum) from pg_index i
            join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
            where i.indrelid = c.oid and i.indisprimary), '[]') as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'p', 'm', 'f')
      and n.nspname in ('public', 'ledger', 'private', 'auth', 'realtime', 'rest')
    order by n.nspname = 'public' desc, n.nspname = 'ledger' desc, n.nspname, c.relname`)
  const routines = await owner.query(sql<Routine>`
    select p.proname as name, n.nspname as schema, p.provariadic <> 0 as is_variadic, p.prokind = 'p' as is_procedure,
           coalesce((select jsonb_agg(jsonb_build_object('name', coalesce(p.proargnames[i], ''), 'type', format_type(t.type, null)) order by i)
            from unnest(p.proargtypes::oid[]) with ordinality as t (type, i)), '[]') as arguments
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'private', 'ledger')
    order by n.nspname = 'public' desc, n.nspname, p.proname`)
  return actors.flatMap((actor) => [
    ...relations
      .filter((relation) => !isOwnWork(actor, relation))
      .flatMap((relation) => relationCells(actor, relation)),
    ...routines.flatMap((routine) => routineCells(actor, routine, administrator)),
  ])
}

/**
 * Returns true if the actor is the authentication service and the table is outside the product's schemas. The
 * service may use these tables freely.
 */
function isOwnWork(actor: SqlActor, { schema }: Relation): boolean {
  return actor.name === 'authentication service' && !productSchemas.includes(schema)
}
