/**
 * Roles belong to the cluster, and no lock that a database has guards them: where servers of two databases start at one
 * moment, PostgreSQL tells one of them that another session was changing the same role, or has just made it.
 */
import { setTimeout } from 'node:timers/promises'
import { SqlError } from '#database/database.ts'

/** How often a change of roles is tried again, and how long at most it waits each time. */
const roleChangesMax = 10
const roleChangeWaitMs = 200

/** Makes the change, again where another session was changing roles. */
export async function retryRoleChange<T>(change: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change()
    } catch (error) {
      if (!isOfAnotherSession(error) || attempt === roleChangesMax) throw error
      await setTimeout(Math.random() * roleChangeWaitMs)
    }
  }
}

function isOfAnotherSession(error: unknown): boolean {
  if (!(error instanceof SqlError)) return false
  const wasJustMade =
    error.sqlState === '23505' && /^pg_(?:authid|auth_members)_/.test(error.constraint ?? '')
  return wasJustMade || error.message === 'tuple concurrently updated'
}
