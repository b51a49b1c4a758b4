// Long answers travel as gzip to whoever accepts it. Seen red with answers of every length left as they are.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { recordExpenses } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

test('a long list is compressed for a client that accepts it, and says the same without', async () => {
  const customer = await signUpCustomer()
  await recordExpenses(
    customer,
    Array.from({ length: 100 }, (_, index) => ({ amount: index + 1 })),
  )
  const read = (coding: string) =>
    rawRest('GET', '/transactions?order=id', { as: customer, headers: { 'accept-encoding': coding } })

  const [compressed, whole, refused] = [
    await read('br, gzip;q=0.8'),
    await read('identity'),
    await read('gzip;q=0'),
  ]

  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(compressed.headers.get('vary')).toContain('Accept-Encoding')
  expect(Number(compressed.headers.get('content-length'))).toBeLessThan(whole.text.length / 3)
  expect(whole.headers.get('content-encoding')).toBeNull()
  expect(refused.headers.get('content-encoding')).toBeNull()
  expect(whole.body).toHaveLength(100)
  expect(compressed.body).toEqual(whole.body)
})

test('a short answer stays as it is', async () => {
  const customer = await signUpCustomer()

  const answer = await rawRest('GET', '/budgets?select=balance', {
    as: customer,
    headers: { 'accept-encoding': 'gzip' },
  })

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-encoding')).toBeNull()
})
