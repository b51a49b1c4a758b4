/** Stops one kind of notice for the person who follows the link in a mail. No session is needed. */
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { Keys } from '#tokens/keys.ts'
import { seedOf } from '#tokens/stop-token.ts'

/** Returns the kind that was stopped. Returns `null` for an invalid token, and if the kind was stopped before. */
export async function stopNotices(
  database: Database,
  keys: Pick<Keys, 'links'>,
  token: string,
): Promise<string | null> {
  const seed = seedOf(keys, token)
  if (seed === null) return null
  const [[row]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ kind: string | null }>`select private.stop_notices(${seed}) as kind`,
  ])
  return row?.kind ?? null
}
