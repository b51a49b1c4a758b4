import { expect, test } from 'vitest'
import { rawRequest } from './example-schema.ts'
import { parseRequest } from '#server/rest/parse/parse.ts'

const refusal = (status: number, code: string) => expect.objectContaining({ status, code })

test('a request without parameters reads every column of every row', () => {
  expect(parseRequest(rawRequest('books'))).toMatchObject({
    action: 'read',
    table: 'books',
    query: { select: [{ kind: 'all' }], conditions: [], order: [], limit: null, offset: 0 },
    format: { kind: 'array' },
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
      { field: { column: 'printed' }, direction: 'desc', nulls: 'last' },
      { field: { column: 'id' }, direction: 'asc', nulls: null },
    ],
    limit: 5,
    offset: 10,
    conditions: [
      { field: { column: 'price' }, test: { operator: 'gt', value: '3' } },
      { field: { column: 'title' }, test: { operator: 'eq', value: 'a b+c' } },
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

test('Accept chooses between array, object and CSV; what cannot be produced is refused', () => {
  const accept = (value: string) => parseRequest(rawRequest('books', { headers: { accept: value } })).format

  expect(accept('*/*')).toEqual({ kind: 'array', stripsNulls: false })
  expect(accept('text/html, application/json;q=0.9').kind).toBe('array')
  expect(accept('application/vnd.pgrst.object+json').kind).toBe('object')
  expect(accept('application/vnd.pgrst.object+json;nulls=stripped')).toEqual({
    kind: 'object',
    stripsNulls: true,
  })
  expect(accept('text/csv').kind).toBe('csv')
  expect(() => accept('application/geo+json')).toThrow(refusal(406, 'PGRST107'))
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
  expect(prefer('handling=strict,max-affected=7').maxAffected).toBe(7)
  expect(prefer('max-affected=7').maxAffected).toBeNull()
})

test('PUT is no method of a table', () => {
  expect(() => parseRequest(rawRequest('books', { method: 'PUT' }))).toThrow(refusal(405, 'PGRST117'))
})

test('a path in front of a filter, an order or a limit speaks of an embedded table', () => {
  const { embedded } = parseRequest(
    rawRequest('authors?books.price=gt.3&books.order=title&books.limit=2&books.loans.or=(a.eq.1,b.eq.2)'),
  ).query

  expect(embedded.get('books')).toMatchObject({
    conditions: [{ field: { column: 'price' } }],
    order: [{ field: { column: 'title' } }],
    limit: 2,
  })
  expect(embedded.get('books')?.embedded.get('loans')?.conditions).toMatchObject([{ joiner: 'or' }])
  expect(parseRequest(rawRequest('a?b.not.and=(x.eq.1)')).query.embedded.get('b')?.conditions).toMatchObject([
    { joiner: 'and', isNegated: true },
  ])
})

// Four thousand steps are deeper than a recursion of JavaScript goes.
test.each([3, 4000])('a path of %i embedded tables is refused: two is as deep as a read goes', (steps) => {
  const path = 'a.'.repeat(steps)
  const { query } = parseRequest(rawRequest('books?authors.reviews.not.or=(x.eq.1)'))

  expect(query.embedded.get('authors')?.embedded.get('reviews')?.conditions).toHaveLength(1)
  expect(() => parseRequest(rawRequest(`books?${path}x=eq.1`))).toThrow(refusal(400, 'PGRST100'))
})

test('the header Range narrows what limit and offset leave, of a read alone', () => {
  const window = (address: string, range: string, method = 'GET') => {
    const { limit, offset } = parseRequest(
      rawRequest(address, { method, headers: { range }, body: '{}' }),
    ).query
    return { limit, offset }
  }

  expect(window('books', '5-9')).toEqual({ limit: 5, offset: 5 })
  expect(window('books', '5-')).toEqual({ limit: null, offset: 5 })
  expect(window('books?offset=3&limit=4', '0-5')).toEqual({ limit: 3, offset: 3 })
  expect(window('books?limit=4', '7-9')).toEqual({ limit: 0, offset: 7 })
  expect(window('books', 'bytes=0-5')).toEqual({ limit: null, offset: 0 })
  expect(window('books', '5-9', 'POST')).toEqual({ limit: null, offset: 0 })
  expect(() => window('books', '9-5')).toThrow(refusal(416, 'PGRST103'))
})
