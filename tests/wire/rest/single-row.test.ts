// One object instead of an array.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

const asObject = { accept: 'application/vnd.pgrst.object+json' }

test('GET with Accept object and one row answers the row', async () => {
  const customer = await signUpCustomer()

  const { status, headers, body } = await rawRest(
    'GET',
    `/budgets?select=balance&user_id=eq.${customer.id}`,
    {
      as: customer,
      headers: asObject,
    },
  )

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/vnd.pgrst.object+json; charset=utf-8')
  expect(body).toEqual({ balance: 0 })
})

test('GET with Accept object and no row answers 406 PGRST116', async () => {
  const customer = await signUpCustomer()

  const { status, headers, body } = await rawRest('GET', '/transactions', { as: customer, headers: asObject })

  expect(status).toBe(406)
  expect(headers.get('proxy-status')).toBe('PostgREST; error=PGRST116')
  expect(body).toEqual({
    code: 'PGRST116',
    details: 'The result contains 0 rows',
    hint: null,
    message: 'Cannot coerce the result to a single JSON object',
  })
})

test('single() with two rows is an error, maybeSingle() without a row is not', async () => {
  const customer = await signUpCustomer()

  expect(await customer.client.from('transactions').select().maybeSingle()).toMatchObject({
    data: null,
    error: null,
  })
  await recordExpenses(customer, [{}, {}])
  const { error } = await customer.client.from('transactions').select().single()

  expect(error).toMatchObject({ code: 'PGRST116', details: 'The result contains 2 rows' })
})

test('a write that should touch one row and touches several is undone', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer, [{}, {}])

  const remove = await rawRest('DELETE', `/transactions?user_id=eq.${customer.id}`, {
    as: customer,
    headers: asObject,
  })
  const insert = await rawRest('POST', '/transactions', {
    as: customer,
    headers: asObject,
    body: [expenseOf(customer), expenseOf(customer)],
  })

  for (const { status, body } of [remove, insert]) {
    expect(status).toBe(406)
    expect(body).toMatchObject({ code: 'PGRST116', details: 'The result contains 2 rows' })
  }
  expect(await countTransactions(customer)).toBe(2)
})
