/** Calls functions as the page does. */
import type { SupabaseClient } from '@supabase/supabase-js'
import { newEmail, population } from '#testing/population.ts'

/**
 * Calls a function and returns its status and body. If the call fails, reads the body from the response, because the
 * client's error contains only a fixed message.
 */
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

/** Returns a body for `manage-transactions` that registers a deposit. */
export function depositFor(userId: string, change: object = {}): { action: string; transactionData: object } {
  return {
    action: 'create',
    transactionData: { user_id: userId, amount: '10', description: 'Nómina', type: 'deposit', ...change },
  }
}

/** Returns a body for `manage-users` that creates a user. */
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
