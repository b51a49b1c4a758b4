import { expect, test } from 'vitest'
import { PreparedRequests } from './prepared-requests.ts'
import { type RawRequest, askedHeaders } from '#rest/parse/parse.ts'
import { library, rawRequest } from '#rest/testing/example-schema.ts'

const address = 'books?select=title&shelf=eq.1&limit=5'
const values = {
  accept: 'text/csv',
  prefer: 'count=exact',
  range: '0-1',
  'accept-profile': 'public',
  'content-profile': 'public',
  'content-type': 'text/csv',
} satisfies Record<(typeof askedHeaders)[number], string>

const prepare = (requests: PreparedRequests, request: RawRequest, schema = library) =>
  requests.prepare(schema, request, '/rest/v1')

test('a repeated read is planned only once', () => {
  const requests = new PreparedRequests()

  expect(prepare(requests, rawRequest(address))).toBe(prepare(requests, rawRequest(address)))
})

test.each(askedHeaders)('a read with another value of the header %s is planned separately', (name) => {
  const requests = new PreparedRequests()
  const plain = prepare(requests, rawRequest(address))

  const other = prepare(requests, rawRequest(address, { headers: { [name]: values[name] } }))

  expect(other).not.toBe(plain)
})

test('a read with a different value in its URL is planned separately', () => {
  const requests = new PreparedRequests()
  prepare(requests, rawRequest('books?shelf=eq.1'))

  expect(prepare(requests, rawRequest('books?shelf=eq.2')).statement.values).toContain('2')
})

test('a read is planned again after the schema has been reloaded', () => {
  const requests = new PreparedRequests()
  const before = prepare(requests, rawRequest(address))

  expect(prepare(requests, rawRequest(address), { ...library })).not.toBe(before)
})

test('a write is planned each time', () => {
  const requests = new PreparedRequests()
  const write = rawRequest('books', { method: 'POST', body: '{"title":"Rayuela"}' })

  expect(prepare(requests, write)).not.toBe(prepare(requests, write))
})

test('the cache keeps a thousand plans and then replaces the oldest plan', () => {
  const requests = new PreparedRequests()
  const first = prepare(requests, rawRequest('books?shelf=eq.0'))
  for (let shelf = 1; shelf < 1000; shelf += 1) prepare(requests, rawRequest(`books?shelf=eq.${shelf}`))
  expect(prepare(requests, rawRequest('books?shelf=eq.0'))).toBe(first)

  prepare(requests, rawRequest('books?shelf=eq.1000'))

  expect(prepare(requests, rawRequest('books?shelf=eq.0'))).not.toBe(first)
})
