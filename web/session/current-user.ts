import type { User } from '@supabase/supabase-js'
import type { BackendClient } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import { verifiedFactors } from './second-factor.ts'

/**
 * Asks once who the signed-in user is now. What changed since the stored session was made, a role for instance, comes
 * with a new token now instead of at its next refresh (product-decisions §11.29).
 */
export async function refreshUser(client: BackendClient, known: User): Promise<void> {
  try {
    const { data, error } = await client.auth.getUser()
    if (error === null && !isSameUser(data.user, known)) await client.auth.refreshSession()
  } catch (error) {
    logQuietly(error, 'user check')
  }
}

/** Whether the page would show both alike. */
export function isSameUser(one: User, other: User): boolean {
  return (
    one.id === other.id &&
    one.email === other.email &&
    one.app_metadata['role'] === other.app_metadata['role'] &&
    one.user_metadata['full_name'] === other.user_metadata['full_name'] &&
    verifiedFactors(one).length === verifiedFactors(other).length
  )
}
