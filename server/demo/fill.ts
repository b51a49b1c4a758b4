/** Fills an empty bank with people and their transactions, under the same rules as requests. */
import { randomUUID } from 'node:crypto'
import { type Database, type Scope, type SqlStatement, sql } from '#database/database.ts'
import { asService, asUser, withoutQuota } from '#database/scope.ts'
import type { Passwords } from '#identity/password/passwords.ts'
import { createUserStatements } from '#identity/users.ts'
import { type DemoTransaction, movementsOf } from './transactions.ts'

/**
 * Maximum number of transactions in one write. The cost of posting one grows with the number before it in the same
 * write.
 */
const portionMax = 100

const customers = [
  { name: 'laura', fullName: 'Laura Restrepo', seed: 7, salary: 1450, monthlyLimit: '1900' },
  { name: 'andres', fullName: 'Andrés Felipe Gómez', seed: 21, salary: 1120, monthlyLimit: '1400' },
  { name: 'marisol', fullName: 'Marisol Díaz', seed: 42, salary: 1780, monthlyLimit: null },
].map(({ name, ...customer }) => ({ ...customer, email: `${name}@demo.finanzas.local` }))

/** Adds three customers with two years of transactions each; returns their e-mail addresses. */
export async function fillBank(bank: Database, passwords: Passwords, password: string): Promise<string[]> {
  // Two years of transactions are recorded at once, so the daily quota is off.
  const database = withoutQuota(bank)
  // The session has a proof, because a salary of two years exceeds the amount above which the bank requires one.
  const administrator = await openSession(database, await administratorId(database), { isProven: true })
  const passwordHash = await passwords.hash(password, { email: null })
  for (const { email, fullName, seed, salary, monthlyLimit } of customers) {
    const id = randomUUID()
    await database.transaction(asService('supabase_auth_admin', 'write'), [
      ...createUserStatements({ id, email, passwordHash, fullName, role: 'user' }),
      // The account is as old as its first transaction: an account has a smaller quota on its first day, which these
      // transactions would exceed.
      sql`update auth.users set created_at = now() - interval '2 years' where id = ${id}`,
    ])
    const customer = await openSession(database, id)
    const transactions = movementsOf({ seed, salary }, new Date())
    for (const portion of portionsOf(transactions, 'bank'))
      await database.transaction(administrator, [registerByBank(id, portion)])
    for (const portion of portionsOf(transactions, 'customer'))
      await database.transaction(customer, [recordByCustomer(id, portion)])
    if (monthlyLimit !== null) {
      await database.transaction(customer, [
        sql`update public.budgets set monthly_limit = ${monthlyLimit} where user_id = ${id}`,
      ])
    }
  }
  await database.transaction(asService('supabase_auth_admin', 'write'), [sql`delete from auth.sessions`])
  return customers.map(({ email }) => email)
}

async function administratorId(database: Database): Promise<string> {
  const [[administrator]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{ id: string }>`select id from auth.users where raw_app_meta_data ->> 'role' = 'admin'`,
  ])
  if (administrator === undefined) throw new Error('The bank has no administrator yet.')
  return administrator.id
}

/** Opens a session of the person and returns the scope of the person's requests. */
async function openSession(database: Database, userId: string, { isProven = false } = {}): Promise<Scope> {
  const sessionId = randomUUID()
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`insert into auth.sessions (id, user_id) values (${sessionId}, ${userId})`,
    ...(isProven ? [sql`select auth.record_proof(${userId}, ${sessionId}, 'password')`] : []),
  ])
  return asUser({ id: sessionId, userId }, 'write')
}

function registerByBank(customerId: string, portion: readonly DemoTransaction[]): SqlStatement {
  return sql`
    select private.register_transaction(${customerId}, m.type, m.amount, m.description, m.date, m.category)
    from jsonb_to_recordset(${JSON.stringify(portion)}::jsonb)
      as m (type text, amount numeric, description text, date timestamptz, category text)`
}

function recordByCustomer(customerId: string, portion: readonly DemoTransaction[]): SqlStatement {
  return sql`
    insert into public.transactions (user_id, type, amount, description, date, category)
    select ${customerId}::uuid, m.type, m.amount, m.description, m.date, m.category
    from jsonb_to_recordset(${JSON.stringify(portion)}::jsonb)
      as m (type text, amount numeric, description text, date timestamptz, category text)`
}

function portionsOf(
  transactions: readonly DemoTransaction[],
  by: DemoTransaction['recordedBy'],
): DemoTransaction[][] {
  const recorded = transactions.filter(({ recordedBy }) => recordedBy === by)
  return Array.from({ length: Math.ceil(recorded.length / portionMax) }, (_, index) =>
    recorded.slice(index * portionMax, (index + 1) * portionMax),
  )
}
