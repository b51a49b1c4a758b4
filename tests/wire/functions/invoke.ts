/** Calls of the functions as the page makes them. */
import type { SupabaseClient } from '@supabase/supabase-js'
import { newEmail, population } from '#testing/population.ts'

/** Status and body of the answer; of an error too, whose message in the client is always the same. */
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

/** A body of `manage-transactions`. */
export function depositFor(userId: string, change: object = {}): { action: string; transactionData: object } {
  return {
    action: 'create',
    transactionData: { user_id: userId, amount: '10', description: 'Nómina', type: 'deposit', ...change },
  }
}

/** A body of `manage-users`. */
export function newUser(change: object = {}): { email: string; password: string; [field: string]: unknown } {
  return {
    action: 'create',
    email: newEmail(),
    password: 'una clave larga',
    role: 'user',
    user_metadata: { full_name: population.otherCustomer.fullName },
    ...change,
  }
}
