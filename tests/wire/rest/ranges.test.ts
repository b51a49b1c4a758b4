// Pages and counts.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
  await recordExpenses(
    customer,
    Array.from({ length: 7 }, (_, index) => ({ amount: index + 1 })),
  )
})

test('a page is told by its range, and where it was read', async () => {
  const path = '/transactions?select=amount&order=amount.asc&limit=3&offset=2'

  const { status, headers, body } = await rawRest('GET', path, { as: customer })

  expect(status).toBe(200)
  expect(headers.get('content-range')).toBe('2-4/*')
  expect(headers.get('content-location')).toBe(path)
  expect(body).toEqual([{ amount: 3 }, { amount: 4 }, { amount: 5 }])
})

test('a page of a counted list answers 206, the whole list 200', async () => {
  const page = await customer.client.from('transactions').select('*', { count: 'exact' }).range(5, 9)
  const whole = await customer.client.from('transactions').select('*', { count: 'exact' })

  expect(page).toMatchObject({ status: 206, count: 7 })
  expect(page.data).toHaveLength(2)
  expect(whole).toMatchObject({ status: 200, count: 7 })
})

test('a count needs no rows', async () => {
  const { status, headers, text } = await rawRest('HEAD', '/transactions?select=*&amount=gt.3', {
    as: customer,
    headers: { prefer: 'count=exact' },
  })

  expect({ status, text }).toEqual({ status: 200, text: '' })
  expect(headers.get('content-range')).toBe('0-3/4')
  expect(headers.get('preference-applied')).toBe('count=exact')
})

test("an estimated count is exact, and so tells nothing of other people's rows", async () => {
  const { count } = await customer.client.from('transactions').select('*', { count: 'estimated', head: true })

  expect(count).toBe(7)
})

test('an offset past the end is an error only when the rows are counted', async () => {
  const counted = await rawRest('GET', '/transactions?offset=8', {
    as: customer,
    headers: { prefer: 'count=exact' },
  })
  const uncounted = await rawRest('GET', '/transactions?offset=8', { as: customer })

  expect(counted.status).toBe(416)
  expect(counted.body).toEqual({
    code: 'PGRST103',
    details: 'An offset of 8 was requested, but there are only 7 rows.',
    hint: null,
    message: 'Requested range not satisfiable',
  })
  expect(uncounted.status).toBe(200)
  expect(uncounted.headers.get('content-range')).toBe('*/*')
  expect(uncounted.body).toEqual([])
})

test('a negative limit is out of range', async () => {
  expect((await rawRest('GET', '/transactions?limit=-1', { as: customer })).status).toBe(416)
})
