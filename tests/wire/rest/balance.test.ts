// The balance: one row for each customer, moved by the bank's postings alone.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'

test('a new customer has a balance of zero, and an expense takes from it', async () => {
  const customer = await signUpCustomer()
  const balance = () => customer.client.from('budgets').select('balance').eq('user_id', customer.id).single()

  expect((await balance()).data).toEqual({ balance: 0 })
  await recordExpenses(customer, [{ amount: '1250000.50' }])

  expect((await balance()).data).toEqual({ balance: -1_250_000.5 })
})

test('a customer sets their own monthly limit and nobody else does', async () => {
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer()])
  const limitOf = async () =>
    (await customer.client.from('budgets').select('monthly_limit').single()).data?.monthly_limit

  const own = await customer.client.from('budgets').update({ monthly_limit: 300 }).eq('user_id', customer.id)
  const foreign = await other.client.from('budgets').update({ monthly_limit: 1 }).eq('user_id', customer.id)

  expect(own).toMatchObject({ status: 204, error: null })
  expect(foreign).toMatchObject({ status: 204, error: null })
  expect(await limitOf()).toBe(300)
})

test('a customer cannot write their balance', async () => {
  const customer = await signUpCustomer()

  const update = await customer.client
    .from('budgets')
    .update({ balance: 1_000_000 })
    .eq('user_id', customer.id)
  const upsert = await customer.client.from('budgets').upsert({ user_id: customer.id, balance: 1_000_000 })
  const remove = await customer.client.from('budgets').delete().eq('user_id', customer.id)

  for (const { error, status } of [update, upsert, remove]) {
    expect(status).toBe(403)
    expect(error?.code).toBe('42501')
  }
  expect((await customer.client.from('budgets').select('balance').single()).data).toEqual({ balance: 0 })
})
