/** Records expenses as a customer does. */
import type { NewTransaction, Transaction } from '@finanzas/contract/wire/rows.ts'
import type { Person } from './people.ts'

/** Returns the row of a sample expense, with `changes` applied to it. */
export function expenseOf(person: Person, changes: Partial<NewTransaction> = {}): NewTransaction {
  return {
    user_id: person.id,
    type: 'expense',
    description: 'Almuerzo',
    amount: 12.5,
    category: 'Comida',
    ...changes,
  }
}

/** Records expenses for a customer and returns the recorded rows. */
export async function recordExpenses(
  person: Person,
  changes: readonly Partial<NewTransaction>[] = [{}],
): Promise<Transaction[]> {
  const { data, error } = await person.client
    .from('transactions')
    .insert(changes.map((change) => expenseOf(person, change)))
    .select()
    .overrideTypes<Transaction[], { merge: false }>()
  if (error !== null) throw new Error('The expenses were not recorded.', { cause: error })
  return data
}

/** Counts the transactions that the customer can read. */
export async function countTransactions(person: Person): Promise<number> {
  const { count, error } = await person.client
    .from('transactions')
    .select('*', { count: 'exact', head: true })
  if (count === null) throw new Error('The transactions were not counted.', { cause: error })
  return count
}
