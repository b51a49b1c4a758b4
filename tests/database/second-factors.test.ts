// Which authenticator apps count.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson } from './people.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

async function addApp(person: Person, status: 'unverified' | 'verified'): Promise<string> {
  const id = crypto.randomUUID()
  await db.owner.query(sql`
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
    values (${id}, ${person.id}, ${id}, 'totp', ${status}, 'secret')`)
  return id
}

/** Shows a right code of the app in the person's session; answers whether it is accepted, and the session's level. */
async function show(person: Person, app: string): Promise<{ isAccepted: boolean; aal: string }> {
  const challenge = crypto.randomUUID()
  const [, [accepted], [session]] = await db.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`insert into auth.mfa_challenges (id, factor_id, expires_at) values (${challenge}, ${app}, now() + interval '5 minutes')`,
    sql<{
      is: boolean
    }>`select auth.accept_totp(${person.id}, ${person.sessionId}, ${app}, ${challenge}, 1) as is`,
    sql<{ aal: string }>`select aal from auth.sessions where id = ${person.sessionId}`,
  ])
  return { isAccepted: accepted?.is ?? false, aal: session?.aal ?? '' }
}

test('whoever knows the password alone cannot make an app count that was begun while another one was confirmed', async () => {
  const person = await addPerson(db.database, 'user')
  await addApp(person, 'verified')
  const begun = await addApp(person, 'unverified')

  await expect(show(person, begun)).rejects.toMatchObject({ sqlState: '42501', hint: 'insufficient_aal' })
})

test('the first app counts from its first code on, and a further one in a session that has shown the first', async () => {
  const person = await addPerson(db.database, 'user')
  const first = await addApp(person, 'unverified')

  expect(await show(person, first)).toEqual({ isAccepted: true, aal: 'aal2' })
  expect(await show(person, await addApp(person, 'unverified'))).toEqual({ isAccepted: true, aal: 'aal2' })
})
