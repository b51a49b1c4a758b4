// Nothing unbounded: each limit of security.md IN-03 at its edge, and one past it.
import { beforeAll, expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { expenseOf } from './expenses.ts'
import { rawRest } from './raw-rest.ts'

let customer: Awaited<ReturnType<typeof signUpCustomer>>
beforeAll(async () => {
  customer = await signUpCustomer()
})

const repeated = (count: number, text: string, separator = ',') =>
  Array.from({ length: count }, () => text).join(separator)
const urlOf = (bytes: number) => {
  const start = '/transactions?description=eq.'
  return start + 'x'.repeat(bytes - `/rest/v1${start}`.length)
}
const embeds = (depth: number): string => (depth === 0 ? 'id' : `user_safe(profiles(${embeds(depth - 1)}))`)

test.each([
  ['filters', 30, (n: number) => `/transactions?${repeated(n, 'amount=gt.0', '&')}`, 400],
  ['filters in a tree', 30, (n: number) => `/transactions?or=(${repeated(n, 'amount.gt.0')})`, 400],
  ['values of a list', 100, (n: number) => `/transactions?amount=in.(${repeated(n, '1')})`, 400],
  ['order terms', 5, (n: number) => `/transactions?order=${repeated(n, 'id')}`, 400],
  ['entries of a select list', 50, (n: number) => `/transactions?select=${repeated(n, 'amount->a')}`, 400],
  [
    'times of one column in a select list',
    4,
    (n: number) => `/transactions?select=${repeated(n, 'id')}`,
    400,
  ],
  [
    'levels of a tree',
    10,
    (n: number) => `/transactions?or=${'(and'.repeat(n - 1)}(id.is.null)${')'.repeat(n - 1)}`,
    400,
  ],
  ['steps into JSON', 20, (n: number) => `/transactions?select=amount${'->a'.repeat(n)}`, 400],
  ['bytes of a URL', 8192, urlOf, 414],
])('%s: %i are read, one more is refused', async (_name, max, path, status) => {
  expect((await rawRest('GET', path(max), { as: customer })).status).toBe(200)
  expect((await rawRest('GET', path(max + 1), { as: customer })).status).toBe(status)
})

test('two embedded tables are read, at any depth, and a third is refused', async () => {
  const two = await rawRest('GET', `/profiles?select=${embeds(1)}`, { as: customer })
  const three = await rawRest('GET', `/profiles?select=${embeds(1)},again:user_safe(id)`, { as: customer })

  // A customer may not read profiles, which is what the database says once it is asked.
  expect([two.status, (two.body as { code: string }).code]).toEqual([403, '42501'])
  expect([three.status, (three.body as { code: string }).code]).toEqual([400, 'PGRST100'])
})

test('a body of 64 KiB is read, one byte more is refused', async () => {
  const bodyOf = (bytes: number) => {
    const start = JSON.stringify({ ...expenseOf(customer), description: '' }).slice(0, -2)
    const empty = JSON.stringify({ ...expenseOf(customer) })
    return empty + ' '.repeat(bytes - Buffer.byteLength(empty)) + start.slice(0, 0)
  }
  const send = async (bytes: number) =>
    (await rawRest('POST', '/transactions', { as: customer, body: bodyOf(bytes) })).status

  expect(await send(65_536)).toBe(201)
  expect(await send(65_537)).toBe(413)
})

test('20 levels of JSON and 200 keys are read, one more is refused', async () => {
  const nested = (levels: number) => `{"description":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const keys = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))
  const codeOf = async (body: string) =>
    ((await rawRest('POST', '/transactions', { as: customer, body })).body as { code: string }).code

  // What is read goes on to the columns, or to the policy.
  expect(await codeOf(nested(20))).not.toBe('PGRST102')
  expect(await codeOf(nested(21))).toBe('PGRST102')
  expect(await codeOf(keys(200))).toBe('PGRST204')
  expect(await codeOf(keys(201))).toBe('PGRST102')
})

test('headers of 16 KiB are too many', async () => {
  const answer = (bytes: number) =>
    rawRest('GET', '/transactions', { as: customer, headers: { 'x-client-info': 'x'.repeat(bytes) } })

  expect((await answer(8192)).status).toBe(200)
  expect((await answer(16_384)).status).toBe(431)
})
