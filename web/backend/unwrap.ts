import type { PostgrestSingleResponse } from '@supabase/supabase-js'
import { verifySession } from './verify-session.ts'

/**
 * The data of a table request, or its error thrown whole, so that the caller can branch on its code.
 * A 401 means that the session may have been ended elsewhere, which is then looked into.
 */
export function unwrap<Data>(answer: PostgrestSingleResponse<Data>): Data {
  if (answer.error === null) return answer.data
  if (answer.status === 401) void verifySession()
  throw answer.error
}
