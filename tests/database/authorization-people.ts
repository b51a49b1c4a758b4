/** The actors of the authorization matrix, one for each state that a user can be in, and their rows. */
import type { Actor } from '#supabase/authorization/is-permitted.ts'
import { type Owner, sql } from '#server/database/database.ts'
import type { TestDatabase } from '#testing/database.ts'
import { makeEverybody } from '#testing/population.ts'
import { settings } from './bank-settings.ts'
import {
  type Person,
  addPerson,
  ageProof,
  deposit,
  expense,
  openSession,
  record,
  remove,
  run,
} from './people.ts'

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

/** Ids of a deleted row and of a row that the bank recorded. */
type Rows = { readonly aside: string; readonly banked: string }

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

/**
 * Adds one row of each kind. The import, the batch, the rule, the recurring expense and the beneficiary have the id of
 * the deleted row. The id of the requested transfer is computed from the id of the person.
 */
export async function addRows(
  owner: Owner,
  person: Person,
  { administrator, payee }: { administrator: Person; payee: Person },
): Promise<Rows> {
  const rows = await addTransactions(person, administrator)
  await addUploads(owner, rows, { person, administrator })
  await addPlans(owner, person, rows)
  await addTransfer(person, payee, rows)
  await addNotices(owner, person)
  await addPersonalRows(owner, person)
  return rows
}

/** Adds an edited expense, two deposits (one of them corrected), and a deleted row. */
async function addTransactions(person: Person, administrator: Person): Promise<Rows> {
  const edited = await record(person, expense(person, '12.50'))
  await run(person, sql`update public.transactions set category = 'Otro' where id = ${edited}`)
  const banked = await record(administrator, deposit(person, '100'))
  const mistake = await record(administrator, deposit(person, '1'))
  await run(administrator, sql`select public.correct_transaction(${person.id}, ${mistake}, 'Duplicado')`)
  const aside = await record(person, expense(person, '3'))
  await run(person, remove(aside))
  return { aside, banked }
}

/** Adds an import, and a batch that opens an account. */
async function addUploads(
  owner: Owner,
  { aside }: Rows,
  { person, administrator }: { person: Person; administrator: Person },
): Promise<void> {
  await run(
    person,
    sql`select public.import_transactions(${aside}, '[{"date": "2026-01-01", "description": "Libro", "amount": 1}]')`,
  )
  const lines = [{ line: 1, user_id: person.id, amount: 1, description: 'Nómina' }]
  await run(
    administrator,
    sql`select public.create_batch(${aside}, 'nomina.csv', ${JSON.stringify(lines)}::json)`,
  )
  await owner.query(sql`update public.batches set opens_accounts = true where id = ${aside}`)
  await owner.query(sql`
    insert into public.new_accounts (batch_id, line, user_id, full_name, email)
    values (${aside}, 1, ${person.id}, 'Eva', ${`eva-${aside}@banco.example`})`)
}

/** Adds a recurring expense, a category, a category limit and a rule. */
async function addPlans(owner: Owner, person: Person, { aside }: Rows): Promise<void> {
  await run(
    person,
    sql`
      select public.save_recurring_expense(
        ${aside}, 'Arriendo', 5, 'weekly', (now() at time zone 'America/Bogota')::date)`,
  )
  await owner.query(sql`
    insert into public.recurring_occurrences (user_id, recurring_id, due_on, amount)
    values (${person.id}, ${aside}, '2026-01-01', 5)`)
  await run(person, sql`insert into public.categories (name) values ('Mascotas')`)
  await run(person, sql`select public.set_category_budget('Otro', 100)`)
  await run(
    person,
    sql`insert into public.category_rules (id, contains, category) values (${aside}, 'Café', 'Mascotas')`,
  )
}

/** Adds a confirmed beneficiary and a requested transfer. */
async function addTransfer(person: Person, payee: Person, { aside }: Rows): Promise<void> {
  await run(person, sql`select public.add_beneficiary(${aside}, 'Luis', ${`${payee.id}@banco.example`})`)
  await run(person, sql`select public.confirm_beneficiary(${aside})`)
  await run(person, sql`select public.request_transfer(md5(${person.id}::text)::uuid, ${aside}, 2)`)
}

/** Adds all preferences of notifications and one notification. */
async function addNotices(owner: Owner, person: Person): Promise<void> {
  await run(
    person,
    sql`
      select public.set_notifications('{deposit,correction,transfer,large_expense,category_limit,low_balance,statement}', 50, 20)`,
  )
  await owner.query(
    sql`insert into public.notifications (user_id, kind, events, happened_at) values (${person.id}, 'deposit', 1, now())`,
  )
}

/** Adds a correction of personal data and the stored answer of an idempotent call. */
async function addPersonalRows(owner: Owner, person: Person): Promise<void> {
  await owner.query(sql`
    insert into public.holder_corrections (user_id, before, after)
    values (${person.id}, '{"phone": null}', '{"phone": "+573001234567"}')`)
  await owner.query(sql`
    insert into private.orders (id, kind, asked_by, asked_at, about, counts, route, call_key, body_hash)
    values (
      gen_random_uuid(), 'send_link', ${person.id}, now(), ${person.id}, false, 'manage-users', ${`kept-${person.id}`},
      ${new Uint8Array(32)}
    )`)
}
