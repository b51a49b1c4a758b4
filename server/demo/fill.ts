/** Fills an empty bank with customers and their transactions, under the same rules that apply to requests. */
import { randomUUID } from 'node:crypto'
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { setBankSettings } from '#settings/bank-settings.ts'
import type { Config } from '#settings/config.ts'
import { createUserStatements } from '#people/users.ts'
import { addressOf, endSessions, openProvenSession, openSession, secondAdministrator } from './people.ts'
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
] as const

/** The password hash that all these people share, and the currency of the amounts. */
type Filling = { readonly passwordHash: string; readonly currency: Currency }

/**
 * Adds a second administrator, and three customers with two years of transactions each. Returns the customers' e-mail
 * addresses.
 */
export async function fillBank(database: Database, { passwordHash, currency }: Filling): Promise<string[]> {
  // The limits are off, because two years of transactions are recorded on one day. The server's start sets them again.
  await setBankSettings(database, { auth_rate_limits: 'off' })
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    ...createUserStatements({ id: randomUUID(), ...secondAdministrator, passwordHash, role: 'admin' }),
  ])
  const administrator = await openProvenSession(database, secondAdministrator.email)
  for (const { name, fullName, seed, salary, monthlyLimit } of customers) {
    const id = randomUUID()
    const now = new Date()
    const transactions = movementsOf({ seed, salary, currency }, now)
    const first = transactions[0]?.date ?? now.toISOString()
    await database.transaction(asService('supabase_auth_admin', 'write'), [
      ...createUserStatements({ id, email: addressOf(name), passwordHash, fullName, role: 'user' }),
      // Makes the account a little older than its first transaction. On its first day, an account has a smaller quota,
      // which these transactions would exceed.
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
  await endSessions(database)
  return customers.map(({ name }) => addressOf(name))
}

/**
 * Has the second administrator order a deposit, which then waits for the first administrator's approval. First sets the
 * bank's rules for administrators, as the server does at each start.
 */
export async function fillApproval(
  database: Database,
  { displayCurrency: currency, bankSettings }: Pick<Config, 'displayCurrency' | 'bankSettings'>,
): Promise<void> {
  await setBankSettings(database, bankSettings)
  await database.transaction(await openProvenSession(database, secondAdministrator.email), [
    sql`
      select private.register_transaction(
        s.id, 'deposit', ${amountIn(currency, 1_800)}, 'Premio del concurso', now(), 'Deposito')
      from public.user_safe s where s.email = ${addressOf('laura')}`,
  ])
  await endSessions(database)
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
