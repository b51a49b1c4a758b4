// A count is one of the caller's own rows, however it is asked for. Planted fault: a planned count taken from
// the table's statistics.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'

test.each(['exact', 'planned', 'estimated'] as const)(
  'a count that is %s has no row of another customer in it',
  async (count) => {
    const [ana, luis] = await Promise.all([signUpCustomer(), signUpCustomer()])
    await Promise.all([
      recordExpenses(ana, [{ amount: 1 }, { amount: 2 }, { amount: 3 }]),
      recordExpenses(
        luis,
        Array.from({ length: 40 }, () => ({ amount: 1 })),
      ),
    ])
    const counted = async (query: PromiseLike<{ count: number | null }>) => (await query).count
    const transactions = ana.client.from('transactions')

    expect(await counted(transactions.select('*', { count, head: true }))).toBe(3)
    expect(await counted(transactions.select('id', { count }).gt('amount', 1))).toBe(2)
    expect(await counted(transactions.select('id', { count }).eq('user_id', luis.id))).toBe(0)
    expect(await counted(transactions.delete({ count }).eq('user_id', luis.id))).toBe(0)
    expect(await counted(transactions.delete({ count }).gt('amount', 0))).toBe(3)
    expect(await counted(luis.client.from('transactions').select('*', { count, head: true }))).toBe(40)
  },
)
