import { expect, test } from 'vitest'
import { parseRequest } from './parse.ts'
import { parsePayload } from './payload.ts'
import { rawRequest } from '#rest/testing/example-schema.ts'

const refusal = (status: number, code: string) => expect.objectContaining({ status, code })
const withHeaders = (headers: Record<string, string>, address = 'books', method = 'GET') =>
  parseRequest(rawRequest(address, { method, headers, body: '{}' }))

test('the method determines the action, and PUT is refused for tables', () => {
  const action = (method: string) => parseRequest(rawRequest('books', { method, body: '{}' })).action

  expect(['GET', 'HEAD'].map(action)).toEqual(['read', 'read'])
  expect(['POST', 'PATCH', 'DELETE'].map(action)).toEqual(['insert', 'update', 'delete'])
  expect(() => action('PUT')).toThrow(refusal(405, 'PGRST117'))
})

test.each([
  ['*/*', { kind: 'array', stripsNulls: false }],
  ['text/html, application/json;q=0.9', { kind: 'array', stripsNulls: false }],
  ['application/vnd.pgrst.object+json', { kind: 'object', stripsNulls: false }],
  ['application/vnd.pgrst.object+json;nulls=stripped', { kind: 'object', stripsNulls: true }],
  ['text/csv;nulls=stripped', { kind: 'csv', stripsNulls: false }],
])('the header Accept: %s selects the format %j', (accept, format) => {
  expect(withHeaders({ accept }).format).toEqual(format)
})

test('an unsupported media type or schema is refused', () => {
  for (const accept of ['application/geo+json', 'application/vnd.pgrst.plan'])
    expect(() => withHeaders({ accept })).toThrow(refusal(406, 'PGRST107'))
  expect(withHeaders({ 'accept-profile': 'public' })).toBeDefined()
  expect(() => withHeaders({ 'accept-profile': 'auth' })).toThrow(refusal(406, 'PGRST106'))
})

test('unknown preferences are refused only with handling=strict', () => {
  const prefer = (value: string) => withHeaders({ prefer: value }).preferences

  expect(prefer('return=representation,count=exact, resolution=merge-duplicates')).toMatchObject({
    returned: 'representation',
    countsTotal: true,
    resolution: 'merge-duplicates',
  })
  expect(prefer('count=estimated').countsTotal).toBe(true)
  expect(prefer('timezone=America/Bogota, timezone=Asia/Tokyo').timezone).toBe('America/Bogota')
  for (const zone of ['Nowhere/None', '+05:00', '', 'utc;x']) {
    expect(prefer(`timezone=${zone}`).timezone).toBeNull()
    expect(() => prefer(`handling=strict, timezone=${zone}`)).toThrow(refusal(400, 'PGRST122'))
  }
  expect(() => prefer('handling=strict,colour=red')).toThrow(refusal(400, 'PGRST122'))
  expect(prefer('handling=strict,max-affected=7').maxAffected).toBe(7)
  expect(prefer('max-affected=7').maxAffected).toBeNull()
})

test.each([
  ['books', '5-9', 'GET', 5, 5],
  ['books', '5-', 'GET', null, 5],
  ['books?offset=3&limit=4', '0-5', 'GET', 3, 3],
  ['books?limit=4', '7-9', 'GET', 0, 7],
  ['books', 'bytes=0-5', 'GET', null, 0],
  ['books', '5-9', 'POST', null, 0],
  // Like PostgREST, the parser reads the Range header only in GET requests.
  ['books', '5-9', 'HEAD', null, 0],
] as const)(
  '%s with the header Range: %s in a %s has the limit %s and the offset %i',
  (address, range, method, limit, offset) => {
    expect(withHeaders({ range }, address, method).query).toMatchObject({ limit, offset })
  },
)

test('a range whose end is before its start is refused', () => {
  expect(() => withHeaders({ range: '9-5' })).toThrow(refusal(416, 'PGRST103'))
})

const json = 'application/json; charset=utf-8'
const rows = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({})))
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
const keys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1])))

test.each([
  // The parser keeps the original text of numbers, so that no digits are lost.
  ['{"a":0.10000000000000000001}', { json: '[{"a":0.10000000000000000001}]', keys: ['a'], isArray: false }],
  ['[{"a":1,"b":2},{"b":1,"a":2}]', { isArray: true, isUniform: true }],
  ['[{"a":1},{"b":1}]', { isUniform: false }],
  ['[]', { keys: [], rows: [], isUniform: true }],
  // The parser treats `__proto__` like any other key.
  ['{"__proto__":{"a":1},"constructor":2}', { keys: ['__proto__', 'constructor'] }],
])('the body %s is read as %j', (body, payload) => {
  expect(parsePayload(body, json)).toMatchObject(payload)
})

test.each(['', '{', 'null', '5', '"x"', '[1]', '[{},null]', '[[{}]]', 'NaN', '{"a":NaN}'])(
  'the body %j is refused',
  (body) => {
    expect(() => parsePayload(body, json)).toThrow(refusal(400, 'PGRST102'))
  },
)

test.each([
  ['rows', 500, rows, 'PGRST124'],
  ['levels', 20, nested, 'PGRST102'],
  ['keys', 200, keys, 'PGRST102'],
] as const)('a body with more %s than %i is refused', (_what, max, body, code) => {
  expect(parsePayload(body(max), undefined)).toBeDefined()
  expect(() => parsePayload(body(max + 1), undefined)).toThrow(refusal(400, code))
})

test('a body with an unsupported content type is refused', () => {
  expect(() => parsePayload('a=1', 'application/x-www-form-urlencoded')).toThrow(refusal(400, 'PGRST102'))
})
