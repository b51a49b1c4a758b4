import { expect, test } from 'vitest'
import { library, rawRequest } from './example-schema.ts'
import { parseRequest } from '#server/rest/parse/parse.ts'
import { planRequest } from '#server/rest/plan/plan.ts'
import { parseCall } from '#server/rest/parse/call.ts'
import { planCall } from '#server/rest/plan/call.ts'

const refusal = (status: number, code: string) => expect.objectContaining({ status, code })
const plan = (...request: Parameters<typeof rawRequest>) =>
  planRequest(library, parseRequest(rawRequest(...request)))
const readPlan = (address: string) => {
  const planned = plan(address)
  if (planned.action !== 'read') throw new Error('A GET is planned as a read.')
  return planned.level
}
const write = (method: string, body: string, prefer = '') => ({ method, body, headers: { prefer } })

test('a read without a limit, or with a larger one, ends at 1,000 rows', () => {
  expect(readPlan('books').limit).toBeNull()
  expect(readPlan('books?limit=5').limit).toBe(5)
  expect(readPlan('books?limit=5000').limit).toBe(1000)
})

test('what the order leaves equal is ordered by the primary key, downwards', () => {
  const order = (address: string) =>
    readPlan(address).order.map(({ field, direction }) => `${field.column.name} ${direction}`)

  expect(order('books?order=printed.desc')).toEqual(['printed desc', 'shelf desc', 'id desc'])
  expect(order('books?order=printed.desc,id.asc')).toEqual(['printed desc', 'id asc', 'shelf desc'])
  expect(order('books')).toEqual([])
})

test('a column may be asked for four times, not more often', () => {
  const columns = library.tables.get('books')?.columns.size ?? 0

  expect(readPlan('books?select=*,*,*,*').selection).toHaveLength(4 * columns)
  expect(() => plan('books?select=*,*,*,*,title')).toThrow(refusal(400, 'PGRST100'))
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
  ['books?select=authors(name)&authors.colour=eq.x', 400, '42703'],
  ['books?select=authors(name)&authors.books.title=eq.x', 400, 'PGRST108'],
  ['books?select=authors(name)&authors=eq.x', 400, 'PGRST120'],
  ['books?order=authors(name)', 400, 'PGRST108'],
  ['authors?select=books(id)&order=books(title)', 400, 'PGRST118'],
  ['books?select=title::regclass', 400, '42704'],
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

test('what a row leaves out is the default of its column, where that is wanted', () => {
  const insert = (body: string, prefer = 'missing=default') =>
    plan('books?columns=title,price', write('POST', body, prefer))

  expect(insert('[{"title":"a","price":1}]')).toMatchObject({ defaults: new Map() })
  expect(insert('[{"title":"a","price":1},{"title":"b"}]')).toMatchObject({
    defaults: new Map([['price', '10.5']]),
  })
  expect(insert('[{"title":"b"}]', '')).toMatchObject({ defaults: new Map() })
})

const call = (name: string, names: readonly string[], more: Partial<Parameters<typeof parseCall>[0]> = {}) =>
  planCall(
    library,
    parseCall({
      method: 'POST',
      name,
      url: `/rest/v1/rpc/${name}`,
      headers: {},
      body: JSON.stringify(Object.fromEntries(names.map((key) => [key, 'x']))),
      ...more,
    }),
  )

test('a function is found by the names of its arguments', () => {
  expect(call('lend', ['book']).given).toMatchObject([{ name: 'book' }])
  expect(call('lend', ['days', 'book']).given).toHaveLength(2)
  expect(() => call('lend', ['days'])).toThrow(refusal(404, 'PGRST202'))
  expect(() => call('lend', ['book', 'other'])).toThrow(refusal(404, 'PGRST202'))
  expect(() => call('nothing', [])).toThrow(refusal(404, 'PGRST202'))
  expect(() => call('find', ['key'])).toThrow(refusal(300, 'PGRST203'))
})

test('only a function that changes nothing is called by GET, with its arguments in the URL', () => {
  const get = (name: string, query: string) => call(name, [], { method: 'GET', url: `/rpc/${name}?${query}` })

  expect(get('list_books', 'about=casa&title=eq.x&limit=2')).toMatchObject({
    given: [{ name: 'about' }],
    level: { conditions: [{ field: { column: { name: 'title' } } }], limit: 2 },
  })
  expect(() => get('lend', 'book=x')).toThrow(refusal(405, 'PGRST101'))
  expect(() => call('count_books', [], { method: 'DELETE' })).toThrow(refusal(405, 'PGRST101'))
})

test('single values have no columns, and a limit of rows needs a set of them', () => {
  const strict = { headers: { prefer: 'handling=strict,max-affected=1' } }

  expect(() => call('list_titles', [], { url: '/rpc/list_titles?select=title' })).toThrow(
    refusal(400, '42703'),
  )
  expect(call('list_titles', [], strict)).toMatchObject({ maxAffected: 1 })
  expect(() => call('count_books', [], strict)).toThrow(refusal(400, 'PGRST128'))
})

test('a way is chosen by a key or a column, as the target or as a hint', () => {
  const keyOf = (address: string) =>
    readPlan(address).selection.map((entry) => entry.kind === 'embed' && entry.relationship.key)

  expect(keyOf('loans?select=members!loans_lender_fkey(id)')).toEqual(['loans_lender_fkey'])
  expect(keyOf('loans?select=members!borrower(id)')).toEqual(['loans_borrower_fkey'])
  expect(keyOf('loans?select=lender(id)')).toEqual(['loans_lender_fkey'])
  expect(keyOf('loans?select=loans_lender_fkey(id)')).toEqual(['loans_lender_fkey'])
  expect(keyOf('members?select=loans!lender(lender)')).toEqual(['loans_lender_fkey'])
  expect(() => plan('loans?select=members!colour(id)')).toThrow(refusal(400, 'PGRST200'))
})

test('a view is related where it shows the columns of a key, unchanged', () => {
  expect(readPlan('novels?select=authors(name)').selection).toMatchObject([
    { relationship: { pairs: [{ here: { name: 'written_by' }, there: { name: 'id' } }], isToOne: true } },
  ])
  expect(readPlan('authors?select=novels(price)').selection).toMatchObject([
    { relationship: { isToOne: false } },
  ])
})

test('more than 50 entries with names of the client are refused', () => {
  const columns = library.tables.get('books')?.columns.size ?? 0
  const paths = (count: number) => Array.from({ length: count }, (_, index) => `facts->k${index}`).join(',')
  const most = 50 - 2 * columns

  expect(plan(`books?select=*,*,${paths(most)}`)).toBeDefined()
  expect(() => plan(`books?select=*,*,${paths(most + 1)}`)).toThrow(refusal(400, 'PGRST100'))
})
