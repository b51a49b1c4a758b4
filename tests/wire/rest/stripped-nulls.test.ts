// Objects without the keys that have no value, for a client that asks for them.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'

test('keys without a value are left out of rows, and of one object', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer, [{ amount: 1, category: null }])
  const query = () => customer.client.from('transactions').select('amount,category')

  expect((await query()).data).toEqual([{ amount: 1, category: null }])
  expect((await query().stripNulls()).data).toEqual([{ amount: 1 }])
  expect((await query().single().stripNulls()).data).toEqual({ amount: 1 })
})
