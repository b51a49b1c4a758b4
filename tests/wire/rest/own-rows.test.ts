// Whose transactions and balances can be read by whom.
import { expect, test } from 'vitest'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

test('a customer reads their own transactions, newest first', async () => {
  const customer = await signUpCustomer()
  const today = Date.now()
  const [older, newer] = await recordExpenses(customer, [
    { description: 'Ayer', date: new Date(today - 86_400_000).toISOString() },
    { description: 'Hoy', date: new Date(today).toISOString() },
  ])

  const { data } = await customer.client
    .from('transactions')
    .select('*')
    .eq('user_id', customer.id)
    .order('date', { ascending: false })

  expect(data).toEqual([newer, older])
})

test('a customer cannot read the transactions of another customer', async () => {
  const [customer, other] = await Promise.all([signUpCustomer(), signUpCustomer()])
  const [row] = await recordExpenses(other)

  const theirs = await customer.client.from('transactions').select('*').eq('user_id', other.id)
  const byId = await customer.client.from('transactions').select('*').eq('id', row?.id)
  const everything = await customer.client.from('transactions').select('*')

  for (const { data, error } of [theirs, byId, everything]) {
    expect(error).toBeNull()
    expect(data).toEqual([])
  }
})

test('an administrator cannot read the transactions and the balance of a customer here', async () => {
  const [customer, admin] = await Promise.all([signUpCustomer(), administrator()])
  await recordExpenses(customer)

  const transactions = await admin.client.from('transactions').select('*').eq('user_id', customer.id)
  const budgets = await admin.client.from('budgets').select('*').eq('user_id', customer.id)

  expect(transactions.data).toEqual([])
  expect(budgets.data).toEqual([])
})

test('nobody who is not signed in reads anything', async () => {
  for (const table of ['transactions', 'budgets', 'profiles', 'user_safe']) {
    const { data, error, status } = await newClient().from(table).select('*')

    expect(status).toBe(401)
    expect(error).toMatchObject({ code: '42501', message: `permission denied for table ${table}` })
    expect(data).toBeNull()
  }
})

test('no cache keeps an answer, a refusal neither', async () => {
  const customer = await signUpCustomer()

  for (const path of ['/budgets', '/budgets?nothing=eq.1', '/nothing', '/', '/rpc/nothing']) {
    const { headers } = await rawRest('GET', path, { as: customer })
    expect(headers.get('cache-control')).toBe('no-store')
  }
})
