/** Stops one kind of notice for the person who follows the link in a mail. No session is needed. */
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Keys } from '#tokens/keys.ts'
import { seedOf } from '#tokens/stop-token.ts'

/** A kind of notice that was stopped, and the user who had chosen it. */
type StoppedNotices = { readonly userId: string; readonly kind: string }

/**
 * Returns the kind of notice that was stopped. Returns `null` if the token is invalid or the kind had already been
 * stopped.
 */
export async function stopNotices(
  database: Database,
  keys: Pick<Keys, 'links'>,
  token: string,
): Promise<StoppedNotices | null> {
  const seed = seedOf(keys, token)
  if (seed === null) return null
  const [[row]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ person: string; topic: string }>`
      select s.person, s.topic from private.stop_notices(${seed}) s where s.person is not null`,
  ])
  return row === undefined ? null : { userId: row.person, kind: row.topic }
}
