// A change or deletion of a whole table is a mistake more often than a wish.
import { expect, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { countTransactions, recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

test('DELETE without a filter answers 400 with code 21000 and deletes nothing', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(customer)

  for (const path of ['/transactions', '/transactions?select=id', '/transactions?order=id']) {
    const { status, body } = await rawRest('DELETE', path, { as: customer })
    expect(status).toBe(400)
    expect(body).toEqual({
      code: '21000',
      details: null,
      hint: null,
      message: 'DELETE requires a WHERE clause',
    })
  }
  expect(await countTransactions(customer)).toBe(1)
})

test('PATCH without a filter answers 400 with code 21000', async () => {
  const { status, body } = await rawRest('PATCH', '/profiles', {
    as: await administrator(),
    body: { role: 'user' },
  })

  expect(status).toBe(400)
  expect(body).toMatchObject({ code: '21000', message: 'UPDATE requires a WHERE clause' })
})
