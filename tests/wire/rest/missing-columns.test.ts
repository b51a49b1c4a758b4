// What some rows of an insert leave out: null, or the column's default where the client wants it.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { expenseOf } from './expenses.ts'

test('a row that leaves a column out has its default, one that says null has null', async () => {
  const customer = await signUpCustomer()
  const date = '2026-02-03T04:05:06+00:00'
  const { category: _, ...withoutCategory } = expenseOf(customer, { amount: 3, date })

  const { data, error } = await customer.client
    .from('transactions')
    .insert([expenseOf(customer, { amount: 1, date }), expenseOf(customer, { amount: 2 }), withoutCategory], {
      defaultToNull: false,
    })
    .select('amount,date,category')
    .order('amount')

  expect(error).toBeNull()
  expect(data).toEqual([
    { amount: 1, date, category: 'Comida' },
    { amount: 2, date: expect.any(String), category: 'Comida' },
    { amount: 3, date, category: null },
  ])
})

test('without that wish what is left out is null, which this column refuses', async () => {
  const customer = await signUpCustomer()

  const { status, error } = await customer.client
    .from('transactions')
    .insert([expenseOf(customer, { date: '2026-02-03T04:05:06Z' }), expenseOf(customer)])

  expect([status, error?.code]).toEqual([400, '23502'])
})
