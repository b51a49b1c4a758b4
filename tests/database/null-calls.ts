/** Calls of functions that refuse a caller before they look at the arguments. */
import { type Owner, sql } from '#server/database/database.ts'

/** Returns a call of each of these functions of the schema `public`, with null for every argument without a default. */
export async function nullCalls(
  owner: Owner,
  names: readonly string[],
): Promise<readonly { readonly name: string; readonly call: string }[]> {
  return owner.query(
    sql<{ name: string; call: string }>`
      select p.proname as name, format('public.%I(%s)', p.proname, (
        select string_agg('null::' || format_type(t.type, null), ', ' order by t.place)
        from unnest(p.proargtypes::oid[]) with ordinality t (type, place)
        where t.place <= p.pronargs - p.pronargdefaults
      )) as call
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.proname = any (${`{${names.join()}}`})
      order by p.proname collate "C"`,
  )
}
