// How values look in JSON.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { expenseOf } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

test('amounts are numbers with their digits, times are UTC, and nothing is left out', async () => {
  const customer = await signUpCustomer()

  const { text, body } = await rawRest('POST', '/transactions', {
    as: customer,
    headers: { prefer: 'return=representation' },
    body: JSON.stringify(expenseOf(customer, { date: '2026-01-01T00:00:00-05:00', category: null })).replace(
      '12.5',
      '999999999999.90',
    ),
  })

  expect(text).toContain('"amount":999999999999.90')
  expect(body).toMatchObject([
    { amount: 999_999_999_999.9, date: '2026-01-01T05:00:00+00:00', category: null },
  ])
})

test('a fraction of a second is kept when there is one', async () => {
  const customer = await signUpCustomer()

  const { data } = await customer.client
    .from('transactions')
    .insert(expenseOf(customer, { date: '2026-01-01T00:00:00.25Z' }))
    .select('date')
    .single()

  expect(data).toEqual({ date: '2026-01-01T00:00:00.25+00:00' })
})

test('markup and emoji come back as they went', async () => {
  const customer = await signUpCustomer()
  const description = `<b onclick="x()">Café & 'pan' 😀</b> \\ "`

  const { data } = await customer.client
    .from('transactions')
    .insert(expenseOf(customer, { description }))
    .select('description')
    .single()

  expect(data).toEqual({ description })
})
