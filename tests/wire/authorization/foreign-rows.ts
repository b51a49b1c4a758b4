/** A customer, and rows of another one. */
import { randomUUID } from 'node:crypto'
import { signUpCustomer } from '#tests/wire/people.ts'

export type ForeignRows = {
  readonly person: string
  /** Ids of transactions. */
  readonly rows: readonly string[]
  /** Id of a deleted transaction. */
  readonly deleted: string
}

export const expense = { type: 'expense', description: 'Café', amount: 2, category: 'Comida' }

/** The token is the customer's. */
export async function makeForeignRows(): Promise<{ token: string; foreign: ForeignRows }> {
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer('Luis Mora')])
  const [deleted = '', ...rows] = Array.from({ length: 41 }, () => randomUUID())
  const expenses = [deleted, ...rows].map((id) => ({ ...expense, user_id: other.id, id }))
  for (const step of [
    other.client.from('transactions').insert(expenses),
    other.client.from('transactions').delete().eq('id', deleted),
    customer.client.from('transactions').insert({ ...expense, user_id: customer.id }),
  ]) {
    const { error } = await step
    if (error !== null) throw error
  }
  return { token: customer.session.access_token, foreign: { person: other.id, rows, deleted } }
}
