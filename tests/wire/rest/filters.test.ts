// What each filter keeps.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
  await recordExpenses(customer, [
    { amount: 1, description: 'Pan', category: 'Comida' },
    { amount: 2, description: 'Bus, tren y "metro"', category: 'Transporte' },
    { amount: 3, description: 'Cine (50%)', category: null },
  ])
})

test.each([
  ['amount=eq.2', [2]],
  ['amount=neq.2', [1, 3]],
  ['amount=gt.2', [3]],
  ['amount=gte.2', [2, 3]],
  ['amount=lt.2', [1]],
  ['amount=lte.2', [1, 2]],
  ['amount=not.eq.2', [1, 3]],
  ['amount=in.(1,3)', [1, 3]],
  ['amount=not.in.(1,3)', [2]],
  ['amount=in.()', []],
  ['amount=gt.1&amount=lt.3', [2]],
  ['description=like.P*', [1]],
  ['description=like.p*', []],
  ['description=ilike.p*', [1]],
  ['description=ilike.*n', [1]],
  ['description=eq.Cine+(50%25)', [3]],
  ['description=in.("Bus, tren y \\"metro\\"",Pan)', [1, 2]],
  ['category=is.null', [3]],
  ['category=not.is.null', [1, 2]],
  ['category=is.not_null', [1, 2]],
  ['or=(amount.eq.1,category.is.null)', [1, 3]],
  ['or=(amount.eq.1,and(amount.gt.1,description.like."Bus, *"))', [1, 2]],
  ['and=(amount.gte.1,or(category.eq.Comida,category.eq.Transporte))', [1, 2]],
  ['not.or=(amount.eq.1,amount.eq.2)', [3]],
  ['or=(amount.not.in.(1,2),not.and(amount.gt.1,amount.lt.4))', [1, 3]],
  ["description=eq.' or 1=1 --", []],
  ['user_id=eq.00000000-0000-4000-8000-000000000000', []],
] as const)('%s keeps %j', async (query, amounts) => {
  const { status, body } = await rawRest(
    'GET',
    `/transactions?select=amount&order=amount&${encodeURI(query).replaceAll('%2525', '%25')}`,
    {
      as: customer,
    },
  )

  expect(status).toBe(200)
  expect(body).toEqual(amounts.map((amount) => ({ amount })))
})

test('30 filters and 100 values are read, one more is refused', async () => {
  const read = async (query: string) =>
    (await rawRest('GET', `/transactions?${query}`, { as: customer })).status
  const filters = (count: number) => Array.from({ length: count }, () => 'amount=gt.0').join('&')
  const values = (count: number) => `amount=in.(${Array.from({ length: count }, () => '1').join(',')})`

  expect(await read(filters(30))).toBe(200)
  expect(await read(filters(31))).toBe(400)
  expect(await read(values(100))).toBe(200)
  expect(await read(values(101))).toBe(400)
})
