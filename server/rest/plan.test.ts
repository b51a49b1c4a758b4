import { expect, test } from 'vitest'
import { library, rawRequest } from './example-schema.ts'
import { parseRequest } from './parse.ts'
import { planRequest } from './plan.ts'
import { planCall } from './plan-call.ts'

const refusal = (status: number, code: string) => expect.objectContaining({ status, code })
const plan = (...request: Parameters<typeof rawRequest>) =>
  planRequest(library, parseRequest(rawRequest(...request)))
const readPlan = (address: string) => {
  const planned = plan(address)
  if (planned.action !== 'read') throw new Error('A GET is planned as a read.')
  return planned
}
const write = (method: string, body: string, prefer = '') => ({ method, body, headers: { prefer } })

test('a read without a limit, or with a larger one, ends at 1,000 rows', () => {
  expect(plan('books')).toMatchObject({ limit: 1000 })
  expect(plan('books?limit=5')).toMatchObject({ limit: 5 })
  expect(plan('books?limit=5000')).toMatchObject({ limit: 1000 })
})

test('what the order leaves equal is ordered by the primary key, downwards', () => {
  const order = (address: string) =>
    readPlan(address).order.map(({ column, direction }) => `${column.name} ${direction}`)

  expect(order('books?order=printed.desc')).toEqual(['printed desc', 'shelf desc', 'id desc'])
  expect(order('books?order=printed.desc,id.asc')).toEqual(['printed desc', 'id asc', 'shelf desc'])
  expect(order('books')).toEqual([])
})

test('a foreign key is followed in both directions, to one object where there can be only one', () => {
  const isToOne = (address: string) =>
    readPlan(address).selection.map((entry) => entry.kind === 'embed' && entry.relationship.isToOne)

  expect(isToOne('books?select=authors(name)')).toEqual([true])
  expect(isToOne('authors?select=portraits(painter),books(title)')).toEqual([true, false])
})

test.each([
  ['nothing', 404, 'PGRST205'],
  ['books?select=nothing', 400, '42703'],
  ['books?nothing=eq.1', 400, '42703'],
  ['books?or=(nothing.eq.1)', 400, '42703'],
  ['books?order=nothing', 400, '42703'],
  ['books?select=members(id)', 400, 'PGRST200'],
  ['books?select=nothing(id)', 400, 'PGRST200'],
  ['books?select=authors(nothing)', 400, '42703'],
  ['loans?select=members(id)', 300, 'PGRST201'],
  ['books?authors.name=eq.x', 400, 'PGRST108'],
  ['books?select=authors(name)&authors.name=eq.x', 400, 'PGRST127'],
  ['books?price=like.1*', 404, '42883'],
] as const)('GET %s is refused with %i %s', (address, status, code) => {
  expect(() => plan(address)).toThrow(refusal(status, code))
})

test('a change of a whole table is refused', () => {
  expect(() => plan('books', write('DELETE', ''))).toThrow('DELETE requires a WHERE clause')
  expect(() => plan('books', write('PATCH', '{"price":1}'))).toThrow('UPDATE requires a WHERE clause')
})

test('the columns of a write are the keys of its body, or those that columns= names', () => {
  expect(plan('books', write('POST', '{"title":"x","price":1}'))).toMatchObject({
    columns: [{ name: 'title' }, { name: 'price' }],
  })
  expect(plan('books?columns="title"', write('POST', '[{"title":"x","nothing":1},{}]'))).toMatchObject({
    columns: [{ name: 'title' }],
  })
})

test.each([
  ['books', 'POST', '{"nothing":1}', 'PGRST204'],
  ['books', 'POST', '{"__proto__":1}', 'PGRST204'],
  ['books?columns=nothing', 'POST', '{}', 'PGRST204'],
  ['books', 'POST', '[{"title":"a"},{"price":1}]', 'PGRST102'],
  ['books?id=eq.1', 'PATCH', '[{"title":"a"}]', 'PGRST102'],
  ['books?id=eq.1&limit=1', 'DELETE', '', 'PGRST127'],
])('%s %s of %s is refused with %s', (address, method, body, code) => {
  expect(() => plan(address, write(method, body))).toThrow(refusal(400, code))
})

test('defaults for missing keys are refused where a key is missing', () => {
  const insert = (body: string) => plan('books?columns=title,price', write('POST', body, 'missing=default'))

  expect(insert('[{"title":"a","price":1}]')).toBeDefined()
  expect(() => insert('[{"title":"a","price":1},{"title":"b"}]')).toThrow(refusal(400, 'PGRST127'))
})

test('a function is found by the names of its arguments', () => {
  const call = (name: string, keys: string[]) => planCall(library, { name, keys, json: '[{}]' })

  expect(call('lend', ['book']).given).toMatchObject([{ name: 'book' }])
  expect(call('lend', ['days', 'book']).given).toHaveLength(2)
  expect(() => call('lend', ['days'])).toThrow(refusal(404, 'PGRST202'))
  expect(() => call('lend', ['book', 'other'])).toThrow(refusal(404, 'PGRST202'))
  expect(() => call('nothing', [])).toThrow(refusal(404, 'PGRST202'))
  expect(() => call('find', ['key'])).toThrow(refusal(300, 'PGRST203'))
  expect(() => call('list_books', [])).toThrow(refusal(400, 'PGRST127'))
})
