import { expect, test } from 'vitest'
import { rawRequest } from './example-schema.ts'
import { parseRequest } from './parse.ts'

const refusal = (status: number, code: string) => expect.objectContaining({ status, code })

test('a request without parameters reads every column of every row', () => {
  expect(parseRequest(rawRequest('books'))).toMatchObject({
    action: 'read',
    table: 'books',
    query: { select: [{ kind: 'all' }], conditions: [], order: [], limit: null, offset: 0 },
    wantsObject: false,
  })
})

test('parameters with a meaning are read, all others are filters', () => {
  const { query } = parseRequest(
    rawRequest(
      'books?select=id&order=printed.desc.nullslast,id&limit=5&offset=10&price=gt.3&title=eq.a+b%2Bc',
    ),
  )

  expect(query).toMatchObject({
    order: [
      { column: 'printed', direction: 'desc', nulls: 'last' },
      { column: 'id', direction: 'asc', nulls: null },
    ],
    limit: 5,
    offset: 10,
    conditions: [
      { column: 'price', test: { operator: 'gt', value: '3' } },
      { column: 'title', test: { operator: 'eq', value: 'a b+c' } },
    ],
  })
})

test('a parameter may be given once, a filter as often as one likes', () => {
  expect(
    parseRequest(rawRequest('books?price=gt.1&price=lt.5&or=(id.eq.1)&or=(id.eq.2)')).query.conditions,
  ).toHaveLength(4)
  for (const twice of ['select=id&select=id', 'order=id&order=id', 'limit=1&limit=2']) {
    expect(() => parseRequest(rawRequest(`books?${twice}`))).toThrow(refusal(400, 'PGRST100'))
  }
})

test('numbers that are none are refused', () => {
  for (const limit of ['x', '1.5', '', '1e3', '9999999999999']) {
    expect(() => parseRequest(rawRequest(`books?limit=${limit}`))).toThrow(refusal(400, 'PGRST100'))
  }
  expect(() => parseRequest(rawRequest('books?limit=-1'))).toThrow(refusal(416, 'PGRST103'))
})

test('30 filters are read, 31 and a URL past 8 KiB are refused', () => {
  const filters = (count: number) => Array(count).fill('price=gt.1').join('&')

  expect(parseRequest(rawRequest(`books?${filters(30)}`)).query.conditions).toHaveLength(30)
  expect(() => parseRequest(rawRequest(`books?${filters(31)}`))).toThrow(refusal(400, 'PGRST100'))
  expect(() => parseRequest(rawRequest(`books?title=eq.${'x'.repeat(8192)}`))).toThrow(
    refusal(414, 'PGRST100'),
  )
})

test('five order terms are read, six are refused', () => {
  expect(parseRequest(rawRequest('books?order=a,b,c,d,e')).query.order).toHaveLength(5)
  expect(() => parseRequest(rawRequest('books?order=a,b,c,d,e,f'))).toThrow(refusal(400, 'PGRST100'))
  expect(() => parseRequest(rawRequest('books?order=a.up'))).toThrow(refusal(400, 'PGRST100'))
})

test('Accept chooses between array and object; what cannot be produced is refused', () => {
  const accept = (value: string) =>
    parseRequest(rawRequest('books', { headers: { accept: value } })).wantsObject

  expect(accept('*/*')).toBe(false)
  expect(accept('text/html, application/json;q=0.9')).toBe(false)
  expect(accept('application/vnd.pgrst.object+json')).toBe(true)
  expect(accept('application/vnd.pgrst.object+json;nulls=stripped')).toBe(true)
  expect(() => accept('text/csv')).toThrow(refusal(406, 'PGRST107'))
  expect(() => accept('application/vnd.pgrst.plan')).toThrow(refusal(406, 'PGRST107'))
})

test('only the schema public is exposed', () => {
  expect(parseRequest(rawRequest('books', { headers: { 'accept-profile': 'public' } }))).toBeDefined()
  expect(() => parseRequest(rawRequest('books', { headers: { 'accept-profile': 'auth' } }))).toThrow(
    refusal(406, 'PGRST106'),
  )
})

test('preferences come comma-joined; unknown ones count only under strict handling', () => {
  const prefer = (value: string) =>
    parseRequest(rawRequest('books', { headers: { prefer: value } })).preferences

  expect(prefer('return=representation,count=exact, resolution=merge-duplicates')).toMatchObject({
    returned: 'representation',
    countsTotal: true,
    resolution: 'merge-duplicates',
  })
  expect(prefer('count=estimated').countsTotal).toBe(true)
  expect(prefer('timezone=America/Bogota').handling).toBeNull()
  expect(() => prefer('handling=strict,colour=red')).toThrow(refusal(400, 'PGRST122'))
})

test('PUT is no method of a table', () => {
  expect(() => parseRequest(rawRequest('books', { method: 'PUT' }))).toThrow(refusal(405, 'PGRST117'))
})
