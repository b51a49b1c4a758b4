/**
 * The tables and functions of schema `public`, which this file reads directly from a migrated database instead of from
 * the server's schema cache.
 */
import { sql } from '#server/database/database.ts'
import { openTestDatabase } from './database.ts'

export type Column = { readonly name: string; readonly type: string }

export type Catalogue = {
  readonly tables: readonly { readonly name: string; readonly columns: readonly Column[] }[]
  readonly functions: readonly { readonly name: string; readonly parameters: readonly string[] }[]
}

export async function readCatalogue(): Promise<Catalogue> {
  const database = await openTestDatabase()
  const { owner } = database
  try {
    const tables = await owner.query(sql<Catalogue['tables'][number]>`
      select c.relname as name,
             (select jsonb_agg(jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum)
              from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
      order by c.relname`)
    const functions = await owner.query(sql<Catalogue['functions'][number]>`
      select p.proname as name, to_jsonb(coalesce(p.proargnames[1:p.pronargs], '{}')) as parameters
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
      order by p.proname`)
    return { tables, functions }
  } finally {
    await database.close()
  }
}
