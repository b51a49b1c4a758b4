/** The demo's customers and second administrator, and their sessions while the bank is filled. */
import { randomUUID } from 'node:crypto'
import { type Database, type Scope, sql } from '#database/database.ts'
import { asService, asUser } from '#database/scope.ts'

export type DemoName = 'laura' | 'andres' | 'marisol'

export function addressOf(name: DemoName): string {
  return `${name}@demo.finanzas.local`
}

/**
 * Opens a session of the user and returns the scope for the user's requests. In a proven session, the user has just
 * entered the password again.
 */
export async function openSession(
  database: Database,
  userId: string,
  { isProven = false } = {},
): Promise<Scope> {
  const sessionId = randomUUID()
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${userId})`,
    ...(isProven ? [sql`select auth.record_proof(${userId}, ${sessionId}, 'password')`] : []),
  ])
  return asUser({ id: sessionId, userId }, 'write')
}

/** Opens a session for a user of the bank who has just entered the password again. */
export async function openProvenSession(database: Database, email: string): Promise<Scope> {
  const [[person]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{ id: string }>`select id from auth.users where email = ${email}`,
  ])
  if (person === undefined) throw new Error(`The bank has no person ${email} yet.`)
  return openSession(database, person.id, { isProven: true })
}

/**
 * The second administrator, who fills the bank. All deposits in the filled bank count toward the daily total of this
 * administrator, so the first administrator begins with a daily total of zero. This administrator has just entered the
 * password in each session, because the bank requires the password for deposits as large as two years of salaries.
 */
export const secondAdministrator = { email: 'ines@demo.finanzas.local', fullName: 'Inés Mora' } as const

export async function endSessions(database: Database): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), [sql`delete from auth.sessions`])
}
