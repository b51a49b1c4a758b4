// Reads with filters, an order and casts, from the URL to the rows. server/rest/sql/statement.test.ts tests the SQL of
// each filter, and tests/database/table-api-types.test.ts compares every operator with PostgreSQL.
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from '#tests/wire/expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: SignedIn
beforeAll(async () => {
  customer = await signUpCustomer()
  const date = '2026-03-01T10:00:00Z'
  await recordExpenses(customer, [
    { amount: 1, description: 'Pan', category: 'Comida', date },
    { amount: 2, description: 'Bus, tren y "metro"', category: 'Transporte', date },
    { amount: 3, description: 'Cine (50%)', category: null, date },
  ])
})

const encoded = (query: string) =>
  query
    .split('&')
    .map((parameter) => parameter.split(/=(.*)/s, 2).map(encodeURIComponent).join('='))
    .join('&')

test.each([
  ['amount=gt.1&amount=lt.3', [2]],
  ['amount=in.()', []],
  ['description=like.p*', []],
  ['description=ilike.*n', [1]],
  ['description=eq.Cine (50%)', [3]],
  ['description=in.("Bus, tren y \\"metro\\"",Pan)', [1, 2]],
  ['or=(amount.eq.1,and(amount.gt.1,description.like."Bus, *"))', [1, 2]],
  ['or=(amount.not.in.(1,2),not.and(amount.gt.1,amount.lt.4))', [1, 3]],
  ['category=not.is.null', [1, 2]],
  ["description=eq.' or 1=1 --", []],
] as const)('the filter %s matches the rows %j', async (query, amounts) => {
  const path = `/transactions?select=amount&order=amount&${encoded(query)}`
  const { status, body } = await rawRest('GET', path, { as: customer })

  expect(status).toBe(200)
  expect(body).toEqual(amounts.map((amount) => ({ amount })))
})

test('rows are ordered and cast as the client requests', async () => {
  const read = async (query: string) =>
    (await rawRest('GET', `/transactions?${query}`, { as: customer })).body

  expect(await read('select=category&order=category.desc.nullslast')).toEqual(
    ['Transporte', 'Comida', null].map((category) => ({ category })),
  )
  expect(await read('amount=eq.1&select=amount::text,entero:amount::int,date::date')).toEqual([
    { amount: '1', entero: 1, date: '2026-03-01' },
  ])
  expect(await read('amount=eq.1&select=category::integer')).toMatchObject({
    code: '22P02',
    message: 'invalid input syntax for type integer: "Comida"',
  })
})
