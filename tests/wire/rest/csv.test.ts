// Rows as CSV: a table that a spreadsheet opens and does not calculate.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

const csv = { accept: 'text/csv' }

test('the first line has the keys, what has commas, quotes or edges of space is quoted', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer, [
    { amount: 1, description: 'Pan, queso y "vino"' },
    { amount: 2.5, description: ' Café ', category: null },
  ])

  const { status, headers, text } = await rawRest(
    'GET',
    '/transactions?select=valor:amount,description,category&order=amount',
    { as: customer, headers: csv },
  )

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(headers.get('content-range')).toBe('0-1/*')
  expect(text).toBe('valor,description,category\n1,"Pan, queso y ""vino""",Comida\n2.5," Café ",')
})

test('a text that a spreadsheet would calculate has an apostrophe in front, a number has not', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(
    customer,
    ['=1+1', '+57 300', '-1+1', '@SUM(A1)', '-12.5'].map((description, index) => ({
      amount: index + 1,
      description,
    })),
  )

  const { text } = await rawRest('GET', '/transactions?select=description&order=amount', {
    as: customer,
    headers: csv,
  })

  expect(text.split('\n')).toEqual(['description', "'=1+1", "'+57 300", "'-1+1", "'@SUM(A1)", '-12.5'])
})

test('no rows are a line of keys, and the client has it as text', async () => {
  const customer = await signUpCustomer()

  const { data, error } = await customer.client.from('transactions').select('id,amount').csv()

  expect({ data, error }).toEqual({ data: 'id,amount', error: null })
})

test('a write answers CSV too', async () => {
  const customer = await signUpCustomer()

  const { status, text } = await rawRest('POST', '/transactions?select=amount', {
    as: customer,
    body: { user_id: customer.id, type: 'expense', description: 'x', amount: '7.10' },
    headers: { ...csv, prefer: 'return=representation' },
  })

  expect({ status, text }).toEqual({ status: 201, text: 'amount\n7.10' })
})
