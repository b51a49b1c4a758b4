// Bodies that cannot be what was meant.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, expenseOf } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
})

test.each([
  ['', 'PGRST102', 'Empty or invalid json'],
  ['{"type":', 'PGRST102', 'Empty or invalid json'],
  ['5', 'PGRST102', 'Empty or invalid json'],
  ['[1]', 'PGRST102', 'All object keys must match'],
  ['[{"type":"expense"},{"amount":1}]', 'PGRST102', 'All object keys must match'],
  [
    '{"colour":"red"}',
    'PGRST204',
    "Could not find the 'colour' column of 'transactions' in the schema cache",
  ],
  [
    '{"__proto__":{}}',
    'PGRST204',
    "Could not find the '__proto__' column of 'transactions' in the schema cache",
  ],
])('POST of %j answers 400 %s', async (body, code, message) => {
  const answer = await rawRest('POST', '/transactions', { as: customer, body })

  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({ code, details: null, hint: null, message })
  expect(await countTransactions(customer)).toBe(0)
})

test('a form is not read as JSON', async () => {
  const answer = await rawRest('POST', '/transactions', {
    as: customer,
    body: 'amount=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({ code: 'PGRST102' })
})

test.each(['POST', 'PATCH', 'DELETE'])('%s with a content type that is none answers 400', async (method) => {
  const answer = await rawRest(method, `/transactions?user_id=eq.${customer.id}`, {
    as: customer,
    body: expenseOf(customer),
    headers: { 'content-type': ';;' },
  })

  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({
    code: 'PGRST102',
    details: null,
    hint: null,
    message: 'Content-Type not acceptable: ;;',
  })
})

test('a body over 64 KiB is refused before it is looked at', async () => {
  const answer = await rawRest('POST', '/transactions', {
    as: customer,
    body: expenseOf(customer, { description: 'x'.repeat(64 * 1024) }),
  })

  expect(answer.status).toBe(413)
  expect(answer.body).toEqual({
    code: 'PGRST102',
    details: null,
    hint: null,
    message: 'The body is longer than 65536 bytes',
  })
  expect(await countTransactions(customer)).toBe(0)
})

test('only the columns that columns= names are written', async () => {
  const { user_id, type, description, amount } = expenseOf(customer)

  const { data, error } = await customer.client
    .from('transactions')
    .insert([
      { user_id, type, description, amount },
      { ...expenseOf(customer), category: 'Viajes' },
    ])
    .select('category')

  expect(error).toBeNull()
  expect(data).toEqual([{ category: null }, { category: 'Viajes' }])
})
