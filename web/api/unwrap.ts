import type { PostgrestSingleResponse } from '@supabase/supabase-js'
import { backend } from './client.ts'
import { logQuietly, TableRefusal } from './errors.ts'

/**
 * Returns the data from a table API answer. Throws a `TableRefusal` for an error, because the client's own error is a
 * plain object. After a 401, also checks whether the session was ended elsewhere.
 */
export function unwrap<Data>(answer: PostgrestSingleResponse<Data>): Data {
  if (answer.error === null) return answer.data
  if (answer.status === 401) void verifySession()
  throw new TableRefusal(answer)
}

/**
 * Asks the auth surface whether the session still exists, and returns the result. If the session was ended elsewhere,
 * for example by a new password or a changed role, the client signs out by itself. Returns true if the check itself
 * failed.
 */
export async function verifySession(): Promise<boolean> {
  try {
    const client = await backend()
    await client.auth.getUser()
    const { data, error } = await client.auth.getSession()
    return data.session !== null || error !== null
  } catch (error) {
    logQuietly(error, 'session check')
    return true
  }
}
