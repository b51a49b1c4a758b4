// Recording a transaction: customers record their own expenses, and nothing else.
import { expect, test } from 'vitest'
import { administrator, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

test('a customer records an expense of their own', async () => {
  const customer = await signUpCustomer()

  const { data, error, status } = await customer.client.from('transactions').insert(expenseOf(customer))

  expect({ data, error, status }).toEqual({ data: null, error: null, status: 201 })
  expect(await countTransactions(customer)).toBe(1)
})

test('the new row is answered when that is asked for, with what the database added', async () => {
  const customer = await signUpCustomer()

  const { data, status } = await customer.client
    .from('transactions')
    .insert(expenseOf(customer, { amount: '999999999999.99' }))
    .select()
    .single()

  expect(status).toBe(201)
  expect(data).toEqual({
    ...expenseOf(customer),
    amount: 999_999_999_999.99,
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    date: expect.stringMatching(/\+00:00$/),
    recorded_by: 'customer',
  })
})

test('a customer cannot record a deposit', async () => {
  const customer = await signUpCustomer()

  const { error, status } = await customer.client
    .from('transactions')
    .insert({ ...expenseOf(customer), type: 'deposit' })

  expect(status).toBe(403)
  expect(error).toMatchObject({
    code: '42501',
    message: 'new row violates row-level security policy for table "transactions"',
  })
  expect(await countTransactions(customer)).toBe(0)
})

test('neither another customer nor an administrator records an expense in a customer’s name', async () => {
  const [customer, other, admin] = await Promise.all([signUpCustomer(), signUpCustomer(), administrator()])

  for (const { client } of [other, admin]) {
    const { error, status } = await client.from('transactions').insert(expenseOf(customer))
    expect(status).toBe(403)
    expect(error?.code).toBe('42501')
  }
  expect(await countTransactions(customer)).toBe(0)
})

test('nobody who is not signed in records anything', async () => {
  const customer = await signUpCustomer()

  const { error, status } = await newClient().from('transactions').insert(expenseOf(customer))

  expect(status).toBe(401)
  expect(error?.code).toBe('42501')
})

test('a customer cannot say that the bank recorded something', async () => {
  const customer = await signUpCustomer()

  for (const recorder of ['bank', 'customer']) {
    const { error, status } = await customer.client
      .from('transactions')
      .insert({ ...expenseOf(customer), recorded_by: recorder })
    expect(status).toBe(403)
    expect(error?.code).toBe('42501')
  }
  expect(await countTransactions(customer)).toBe(0)
})

test('several expenses are recorded together or not at all', async () => {
  const customer = await signUpCustomer()

  const { error } = await customer.client
    .from('transactions')
    .insert([expenseOf(customer), expenseOf(customer, { amount: 0 })])

  expect(error?.code).toBe('23514')
  expect(await countTransactions(customer)).toBe(0)
})

test('an insert of nothing records nothing', async () => {
  const customer = await signUpCustomer()

  expect((await rawRest('POST', '/transactions', { as: customer, body: [] })).status).toBe(201)
  expect(await countTransactions(customer)).toBe(0)
})

test('an insert whose headers are wanted says where the new row is read', async () => {
  const customer = await signUpCustomer()

  const { status, headers, text } = await rawRest('POST', '/transactions', {
    as: customer,
    body: expenseOf(customer),
    headers: { prefer: 'return=headers-only' },
  })
  const row = await rawRest('GET', headers.get('location') ?? '', { as: customer })

  expect({ status, text }).toEqual({ status: 201, text: '' })
  expect(headers.get('preference-applied')).toBe('return=headers-only')
  expect(row.body).toMatchObject([{ description: 'Almuerzo' }])
})

test('a transaction is never changed', async () => {
  const customer = await signUpCustomer()
  await customer.client.from('transactions').insert(expenseOf(customer))

  const { error, status } = await customer.client
    .from('transactions')
    .update({ amount: 1 })
    .eq('user_id', customer.id)

  expect(status).toBe(403)
  expect(error?.code).toBe('42501')
})
