/** Creates users in the same way as the authentication service, and builds and runs statements on their behalf. */
import { type Database, type Owner, type Scope, type SqlStatement, sql } from '#server/database/database.ts'
import { asService, asUser } from '#server/database/scope.ts'
import { type Role, population } from '#testing/population.ts'

export type Person = {
  id: string
  sessionId: string
  database: Database
  /** Returns the scope for a request by this user. */
  as(access: Scope['access']): Scope
}

/** Adds a user who has an active session and has just proven the password in this session. */
export async function addPerson(database: Database, role: Role): Promise<Person> {
  const id = crypto.randomUUID()
  const sessionId = crypto.randomUUID()
  const { fullName } = role === 'admin' ? population.administrator : population.customer
  const appMetadata = JSON.stringify({ provider: 'email', ...(role === 'admin' ? { role } : {}) })
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`insert into auth.users (id, email, raw_app_meta_data, raw_user_meta_data)
        values (${id}, ${`${id}@banco.example`}, ${appMetadata}, ${JSON.stringify({ full_name: fullName })})`,
    sql`
      insert into auth.sessions (id, user_id, amr)
      values (
        ${sessionId}, ${id},
        jsonb_build_array(jsonb_build_object('method', 'password', 'timestamp', extract(epoch from now())::bigint)))`,
  ])
  return inSession({ id, database }, sessionId)
}

/** Returns the user with a different session. */
function inSession({ id, database }: Pick<Person, 'id' | 'database'>, sessionId: string): Person {
  return { id, sessionId, database, as: (access) => asUser({ id: sessionId, userId: id }, access) }
}

/** Opens another session of the user, without a proof of the password. */
export async function openSession(person: Pick<Person, 'id' | 'database'>): Promise<Person> {
  const id = crypto.randomUUID()
  await person.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`insert into auth.sessions (id, user_id) values (${id}, ${person.id})`,
  ])
  return inSession(person, id)
}

/** Sets the age of the session's last password proof, in minutes. */
export async function ageProof({ database, sessionId }: Person, minutes: number): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`
      update auth.sessions s
      set amr = jsonb_build_array(jsonb_build_object(
        'method', 'password', 'timestamp', floor(extract(epoch from now()))::bigint - ${minutes}::integer * 60))
      where s.id = ${sessionId}`,
  ])
}

/** Runs one statement as the user, in a request that may write. */
export async function run<R>(person: Person, statement: SqlStatement<R>): Promise<R[]> {
  const [rows] = await person.database.transaction(person.as('write'), [statement])
  return rows
}

/** Runs a call of an SQL function as the user, and returns the rows of its result. */
export async function callRows<R>(person: Person, call: SqlStatement): Promise<R[]> {
  const answered = await run<{ row: R }>(person, {
    text: `select to_jsonb(answered) as row from ${call.text} answered`,
    values: call.values,
  })
  return answered.map(({ row }) => row)
}

/** Runs a call of an SQL function that returns one row. */
export async function call<R>(person: Person, called: SqlStatement): Promise<R> {
  const [row] = await callRows<R>(person, called)
  if (row === undefined) throw new Error('The call returned no row.')
  return row
}

/** Runs a statement that records a transaction, and returns its id. */
export async function record(person: Person, statement: SqlStatement<{ id: string }>): Promise<string> {
  const [row] = await run(person, statement)
  return row?.id ?? ''
}

/** Returns a statement that records an expense in the same way as the customer's own request. */
export function expense(person: Person, amount: string): SqlStatement<{ id: string }> {
  return sql`insert into public.transactions (user_id, type, description, amount, category)
             values (${person.id}, 'expense', 'Café', ${amount}, 'Comida') returning id`
}

/** Returns a statement that registers a deposit in the same way as the function manage-transactions. */
export function deposit(person: Person, amount: string): SqlStatement<{ id: string }> {
  return sql`select private.register_transaction(${person.id}, 'deposit', ${amount}, 'Nómina', now(), 'Deposito') ->> 'id' as id`
}

/** Returns a statement that registers an expense in the same way as the function manage-transactions. */
export function charge(person: Person, amount: string): SqlStatement<{ id: string }> {
  return sql`select private.register_transaction(${person.id}, 'expense', ${amount}, 'Cuota', now(), 'Gasto') ->> 'id' as id`
}

/**
 * Returns a statement that corrects a bank transaction in the same way as an administrator's request. With
 * `rightAmount`, the statement also records a replacement with this amount.
 */
export function correct(
  person: Person,
  id: string,
  reason = 'Se registró dos veces',
  rightAmount: string | null = null,
): SqlStatement<{ id: string }> {
  return sql`select public.correct_transaction(${person.id}, ${id}, ${reason}, right_amount => ${rightAmount}) as id`
}

/** Returns a statement that deletes a transaction in the same way as the customer's own request. */
export function remove(id: string): SqlStatement {
  return sql`delete from public.transactions where id = ${id}`
}

/** Closes the user's own account. */
export const closeAccount = (person: Person) => run(person, sql`select private.delete_own_account()`)

/** Returns a statement that changes a role in the same way as an administrator's request. */
export function setRole(person: Person, role: Role): SqlStatement {
  return sql`update public.profiles set role = ${role} where id = ${person.id}`
}

/** Makes an account so old that the lower limits of new accounts no longer apply. */
export const ageAccount = (owner: Owner, { id }: Person) =>
  owner.query(sql`update auth.users set created_at = now() - interval '25 hours' where id = ${id}`)

/** Returns the kind and the amount of each entry in the user's journal, such as `note -5`. */
export async function postingsOf(owner: Owner, { id }: Person): Promise<string[]> {
  const rows = await owner.query(sql<{ posting: string }>`
    select kind || ' ' || delta as posting from ledger.journal where user_id = ${id} order by seq`)
  return rows.map(({ posting }) => posting)
}

/** Returns the user's balance, read with their own rights. */
export async function balanceOf(person: Person): Promise<string | undefined> {
  const [budget] = await run(person, sql<{ balance: string }>`select balance::text from public.budgets`)
  return budget?.balance
}
