/**
 * Chains of hashes, found by their columns: a table in schema `ledger` with `previous_hash` and `hash`. The
 * last column of its key counts the entries, the others say whose chain it is; without others there is one.
 * The last entry of each chain stands for all of it.
 */
import { type Owner, sql } from '#database/database.ts'

/** A table of chains, and the query whose rows are the heads of them. */
export type Chain = { readonly name: string; readonly heads: string }

/** The tables of chains, by name. */
export async function readChains(owner: Owner): Promise<Chain[]> {
  const found = await owner.query<{ name: string; sql: string; key: string[] }>(sql`
    select
      n.nspname || '.' || c.relname as name,
      format('%I.%I', n.nspname, c.relname) as sql,
      (
        select jsonb_agg(quote_ident(a.attname) order by k.position)
        from pg_catalog.pg_index i
        cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, position)
        join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary
      ) as key
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'ledger' and c.relkind in ('r', 'p') and not c.relispartition
      and (
        select count(*) from pg_catalog.pg_attribute a
        where a.attrelid = c.oid and a.attname in ('previous_hash', 'hash')
      ) = 2
    order by c.relname collate "C"`)
  return found.map(({ name, sql: table, key }) => ({ name, heads: headsOf(table, key) }))
}

function headsOf(table: string, key: readonly string[]): string {
  const owners = key.slice(0, -1)
  const newestFirst = [...owners, `${key.at(-1)} desc`].join(', ')
  const line = `jsonb_build_array(${[...key, 'hash'].map((column) => `${column}::text`).join(', ')})::text as line`
  return owners.length === 0
    ? `select ${line} from ${table} order by ${newestFirst} limit 1`
    : `select distinct on (${owners.join(', ')}) ${line} from ${table} order by ${newestFirst}`
}
