/** Calls a function as the page does, and reads what it said, refusal or not. */
import type { SupabaseClient } from '@supabase/supabase-js'

/** Status and body; the client keeps both from its error, whose own message is always the same. */
export async function invoke(
  client: SupabaseClient,
  name: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { data, error } = await client.functions.invoke(name, { body, headers })
  if (error === null) return { status: 200, body: data as Record<string, unknown> }
  const { context } = error as { context: Response }
  return { status: context.status, body: (await context.json()) as Record<string, unknown> }
}
