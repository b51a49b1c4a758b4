/** Fills an empty bank with customers and their transactions, under the same rules that apply to requests. */
import { randomUUID } from 'node:crypto'
import { type Database, type Scope, type SqlStatement, sql } from '#database/database.ts'
import { asService, asUser, withoutQuota } from '#database/scope.ts'
import { createUserStatements } from '#identity/users.ts'
import { type Currency, type DemoTransaction, amountIn, movementsOf } from './transactions.ts'

/**
 * Maximum number of transactions in one write. The cost of posting a transaction grows with the number of
 * transactions before it in the same write.
 */
const portionMax = 100

const customers = [
  { name: 'laura', fullName: 'Laura Restrepo', seed: 7, salary: 1450, monthlyLimit: 1900 },
  { name: 'andres', fullName: 'Andrés Felipe Gómez', seed: 21, salary: 1120, monthlyLimit: 1400 },
  { name: 'marisol', fullName: 'Marisol Díaz', seed: 42, salary: 1780, monthlyLimit: null },
].map(({ name, ...customer }) => ({ ...customer, email: `${name}@demo.finanzas.local` }))

/** The password hash that all customers share, and the currency of the amounts. */
type Filling = { readonly passwordHash: string; readonly currency: Currency }

/** Adds three customers with two years of transactions each; returns their e-mail addresses. */
export async function fillBank(bank: Database, { passwordHash, currency }: Filling): Promise<string[]> {
  // The daily quota is disabled, because two years of transactions are recorded at once.
  const database = withoutQuota(bank)
  // The session has a proof of presence, because two years of salaries exceed the amount that the bank allows in a
  // session without a proof.
  const administrator = await openSession(database, await administratorId(database), { isProven: true })
  for (const { email, fullName, seed, salary, monthlyLimit } of customers) {
    const id = randomUUID()
    const now = new Date()
    const transactions = movementsOf({ seed, salary, currency }, now)
    const first = transactions[0]?.date ?? now.toISOString()
    await database.transaction(asService('supabase_auth_admin', 'write'), [
      ...createUserStatements({ id, email, passwordHash, fullName, role: 'user' }),
      // Makes the account a little older than its first transaction, because a new account has a smaller quota on its
      // first day and these transactions would exceed that quota.
      sql`
        update auth.users set created_at = ${first}::timestamptz - interval '1 hour'
        where id = ${id}`,
    ])
    const customer = await openSession(database, id)
    for (const portion of portionsOf(transactions)) {
      const isOfBank = portion[0]?.recordedBy === 'bank'
      await database.transaction(isOfBank ? administrator : customer, [
        isOfBank ? registerByBank(id, portion) : recordByCustomer(id, portion),
      ])
    }
    if (monthlyLimit !== null) {
      await database.transaction(customer, [
        sql`update public.budgets set monthly_limit = ${amountIn(currency, monthlyLimit)} where user_id = ${id}`,
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

/** Opens a session of the user and returns the scope for the user's requests. */
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

/**
 * Splits transactions into writes, so that each write contains the transactions that one user records. The transactions
 * stay sorted by date.
 */
function portionsOf(transactions: readonly DemoTransaction[]): DemoTransaction[][] {
  const portions: DemoTransaction[][] = []
  for (const transaction of transactions) {
    const last = portions.at(-1)
    const fits = last?.[0]?.recordedBy === transaction.recordedBy && last.length < portionMax
    if (last !== undefined && fits) last.push(transaction)
    else portions.push([transaction])
  }
  return portions
}
