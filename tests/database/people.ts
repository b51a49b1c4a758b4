/** People in the database, created as the authentication service does, and statements that they run. */
import { type Database, type SqlStatement, sql } from '#server/database/database.ts'
import type { Scope } from '#server/database/database.ts'
import { asService, asUser } from '#server/database/scope.ts'
import { type Role, population } from '#testing/population.ts'

export type Person = {
  id: string
  sessionId: string
  database: Database
  /** Returns the scope of a request by this person. */
  as(access: Scope['access']): Scope
}

/** Adds a user with a live session that has just proven the password. */
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

/** Returns the person in one of their sessions. */
export function inSession({ id, database }: Pick<Person, 'id' | 'database'>, sessionId: string): Person {
  return { id, sessionId, database, as: (access) => asUser({ id: sessionId, userId: id }, access) }
}

/** Sets the age of the last proof of the person's session, in minutes. */
export async function ageProof({ database, sessionId }: Person, minutes: number): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`
      update auth.sessions s
      set amr = jsonb_build_array(jsonb_build_object(
        'method', 'password', 'timestamp', floor(extract(epoch from now()))::bigint - ${minutes}::integer * 60))
      where s.id = ${sessionId}`,
  ])
}

/** Runs one statement as a writing request of the person. */
export async function run<R>(person: Person, statement: SqlStatement<R>): Promise<R[]> {
  const [rows] = await person.database.transaction(person.as('write'), [statement])
  return rows
}

/** Runs a statement that records a transaction, and returns its id. */
export async function record(person: Person, statement: SqlStatement<{ id: string }>): Promise<string> {
  const [row] = await run(person, statement)
  return row?.id ?? ''
}

/** Records an expense as the customer's own request would. */
export function expense(person: Person, amount: string): SqlStatement<{ id: string }> {
  return sql`insert into public.transactions (user_id, type, description, amount, category)
             values (${person.id}, 'expense', 'Café', ${amount}, 'Comida') returning id`
}

/** Registers a deposit as the function manage-transactions would. */
export function deposit(person: Person, amount: string): SqlStatement<{ id: string }> {
  return sql`select private.register_transaction(${person.id}, 'deposit', ${amount}, 'Nómina', now(), 'Deposito') as id`
}

/** Registers an expense as the function manage-transactions would. */
export function charge(person: Person, amount: string): SqlStatement<{ id: string }> {
  return sql`select private.register_transaction(${person.id}, 'expense', ${amount}, 'Cuota', now(), 'Gasto') as id`
}

/** Corrects a bank's transaction as an administrator's request would, optionally with the right amount. */
export function correct(
  person: Person,
  id: string,
  reason = 'Se registró dos veces',
  rightAmount: string | null = null,
): SqlStatement<{ id: string }> {
  return sql`select public.correct_transaction(${person.id}, ${id}, ${reason}, right_amount => ${rightAmount}) as id`
}

/** Deletes a transaction as the customer's own request would. */
export function remove(id: string): SqlStatement {
  return sql`delete from public.transactions where id = ${id}`
}

/** Changes a role as an administrator's request would. */
export function setRole(person: Person, role: Role): SqlStatement {
  return sql`update public.profiles set role = ${role} where id = ${person.id}`
}

/** Returns the balance that the customer reads. */
export async function balanceOf(person: Person): Promise<string | undefined> {
  const [budget] = await run(person, sql<{ balance: string }>`select balance::text from public.budgets`)
  return budget?.balance
}
