// The header Range, which asks for rows as limit and offset do.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
  await recordExpenses(
    customer,
    [1, 2, 3, 4, 5].map((amount) => ({ amount })),
  )
})

test.each([
  ['1-2', '', '', 200, [2, 3], '1-2/*'],
  ['3-', '', '', 200, [4, 5], '3-4/*'],
  ['0-1', '', 'count=exact', 206, [1, 2], '0-1/5'],
  ['0-9', '', 'count=exact', 200, [1, 2, 3, 4, 5], '0-4/5'],
  ['0-2', '&limit=2', '', 200, [1, 2], '0-1/*'],
  ['2-4', '&offset=1&limit=2', '', 200, [3], '2-2/*'],
  ['rows', '', '', 200, [1, 2, 3, 4, 5], '0-4/*'],
] as const)('Range: %s%s %s answers %i', async (range, query, prefer, status, amounts, contentRange) => {
  const answer = await rawRest('GET', `/transactions?select=amount&order=amount${query}`, {
    as: customer,
    headers: { 'range-unit': 'items', range, prefer },
  })

  expect(answer.status).toBe(status)
  expect(answer.body).toEqual(amounts.map((amount) => ({ amount })))
  expect(answer.headers.get('content-range')).toBe(contentRange)
})

test('a range that ends before it begins, or begins past a counted end, is refused', async () => {
  const backwards = await rawRest('GET', '/transactions', { as: customer, headers: { range: '5-1' } })
  const past = await rawRest('GET', '/transactions', {
    as: customer,
    headers: { range: '9-12', prefer: 'count=exact' },
  })

  expect([backwards.status, backwards.body]).toMatchObject([416, { code: 'PGRST103' }])
  expect([past.status, past.body]).toMatchObject([
    416,
    { code: 'PGRST103', details: 'An offset of 9 was requested, but there are only 5 rows.' },
  ])
})
