/** The actors of the authorization matrix, one for each state that a user can be in, and their rows. */
import type { Actor } from '#supabase/authorization/is-permitted.ts'
import { type Owner, sql } from '#server/database/database.ts'
import type { TestDatabase } from '#testing/database.ts'
import { makeEverybody } from '#testing/population.ts'
import { settings } from './bank-settings.ts'
import { type Rows, addRows } from './authorization-rows.ts'
import { type Person, addPerson, ageProof, openSession, run } from './people.ts'

/** An actor's role and session, and the ids of the users and rows that the attempts use. */
export type SqlActor = {
  readonly name: Actor
  readonly role: string
  readonly claims: string
  readonly session: string | null
  /** The actor's user id, or `null` for an actor without an account. */
  readonly own: string | null
  readonly other: string
  /** Ids of a row that the actor has just deleted and of a row that the other user has just deleted. */
  readonly deleted: { readonly own: string | null; readonly other: string }
  readonly otherSession: string
  /** Ids of a row that the bank recorded for the actor and of a row that it recorded for the other user. */
  readonly banked: { readonly own: string | null; readonly other: string }
}

/** Adds all actors to the database. */
export async function addActors({ database, owner }: TestDatabase): Promise<readonly SqlActor[]> {
  const everybody = await makeEverybody<Person>({
    make: ({ role }) => addPerson(database, role),
    demote: ({ id }) =>
      owner.query(sql`update auth.users set raw_app_meta_data = raw_app_meta_data - 'role' where id = ${id}`),
    async signInAgain(person) {
      const again = await openSession(person)
      await ageProof(again, 0)
      return again
    },
    ban: ({ id }) =>
      owner.query(sql`update auth.users set banned_until = now() + interval '1 day' where id = ${id}`),
    remove: ({ id }) => owner.query(sql`delete from auth.users where id = ${id}`),
  })
  const { customer, other, administrator, returned } = everybody
  // Adds a second administrator, because the last administrator cannot be deleted.
  await addPerson(database, 'admin')
  await setLimits(owner)
  const payee = await addPerson(database, 'user')
  await owner.query(sql`update auth.users set email_confirmed_at = now() where id = ${payee.id}`)
  const rows = new Map<string, Rows>()
  for (const person of [customer, other, administrator, returned])
    rows.set(person.id, await addRows(owner, person, { administrator, payee }))
  for (const person of [administrator, other])
    await run(administrator, sql`select public.open_customer(${person.id})`)
  // Adds a row, because a read of an empty table would return no rows even to callers with all rights.
  await owner.query(sql`insert into ledger.daily_check (ended_at, is_broken) values (now(), false)`)
  return actorsOf(everybody, rows)
}

/** Enables all features. Every transfer that the attempts request waits for a decision. */
async function setLimits(owner: Owner): Promise<void> {
  await owner.query(settings({ transferencias: 'on', notificaciones: 'on' }))
  await owner.query(
    settings({
      transfer_automatic_max: 0,
      transfer_max: 100,
      transfer_day_max: 1000,
      transfer_expires_hours: 72,
    }),
  )
}

function actorsOf(
  everybody: Awaited<ReturnType<typeof makeEverybody<Person>>>,
  rows: ReadonlyMap<string, Rows>,
): SqlActor[] {
  const { customer, other, administrator, returned, former, deleted, banned } = everybody
  const forgedClaims = { user_metadata: { role: 'admin' }, app_metadata: { role: 'admin' }, is_admin: true }
  const personal = (name: Actor, person: Pick<Person, 'id' | 'sessionId'>, claims: object = {}): SqlActor => {
    const theOther = person.id === other.id ? customer : other
    const [own, others] = [rows.get(person.id), rows.get(theOther.id)]
    const { id: sub, sessionId } = person
    return {
      name,
      role: 'authenticated',
      claims: JSON.stringify({ sub, role: 'authenticated', session_id: sessionId, ...claims }),
      session: sessionId,
      own: sub,
      other: theOther.id,
      deleted: { own: own?.aside ?? null, other: others?.aside ?? '' },
      otherSession: theOther.sessionId,
      banked: { own: own?.banked ?? null, other: others?.banked ?? '' },
    }
  }
  const role = (name: Actor, databaseRole: string): SqlActor => ({
    name,
    role: databaseRole,
    claims: databaseRole.startsWith('supabase') ? '' : JSON.stringify({ role: databaseRole }),
    session: null,
    own: null,
    other: other.id,
    deleted: { own: null, other: rows.get(other.id)?.aside ?? '' },
    otherSession: other.sessionId,
    banked: { own: null, other: rows.get(other.id)?.banked ?? '' },
  })
  return [
    role('anonymous', 'anon'),
    personal('customer', customer),
    personal('forger', customer, forgedClaims),
    personal('other customer', other),
    personal('administrator', administrator),
    personal('returned administrator', returned, forgedClaims),
    personal('former administrator', former, forgedClaims),
    personal('deleted', deleted),
    personal('banned', banned),
    role('service', 'service_role'),
    role('authentication service', 'supabase_auth_admin'),
  ]
}
