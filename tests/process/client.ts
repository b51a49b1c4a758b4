/** The real client of a program, and what a test reads through it. */
import { type SupabaseClient, createClient } from '@supabase/supabase-js'
import type { Program } from './server-program.ts'

/** The public API key, as the page gets it. */
export async function anonKeyOf({ url }: Program): Promise<string> {
  const { anonKey } = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string }
  return anonKey
}

/** A signed-out client; two of them share nothing. */
export async function clientOf(program: Program): Promise<SupabaseClient> {
  const anonKey = await anonKeyOf(program)
  return createClient(program.url, anonKey, { auth: { persistSession: false, autoRefreshToken: false } })
}

/** The ids of all transactions of the signed-in customer, read page by page. */
export async function transactionIds(client: SupabaseClient): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let page = 0; ; page += 1) {
    const { data } = await client
      .from('transactions')
      .select('id')
      .order('id')
      .range(page * 1000, page * 1000 + 999)
    for (const { id } of data ?? []) ids.add(id as string)
    if ((data ?? []).length < 1000) return ids
  }
}
