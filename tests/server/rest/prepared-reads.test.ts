import { expect, test } from 'vitest'
import { PreparedReads } from '#server/rest/prepared-reads.ts'
import { type RawRequest, askedHeaders } from '#server/rest/parse/parse.ts'
import { library, rawRequest } from './example-schema.ts'

const address = 'books?select=title&shelf=eq.1&limit=5'
const values = {
  accept: 'text/csv',
  prefer: 'count=exact',
  range: '0-1',
  'accept-profile': 'public',
  'content-profile': 'public',
  'content-type': 'text/csv',
} satisfies Record<(typeof askedHeaders)[number], string>

const prepare = (reads: PreparedReads, request: RawRequest, schema = library) =>
  reads.prepare(schema, request, '/rest/v1')

test('the same read is planned once', () => {
  const reads = new PreparedReads()

  expect(prepare(reads, rawRequest(address))).toBe(prepare(reads, rawRequest(address)))
})

test.each(askedHeaders)('another value of %s is another read', (name) => {
  const reads = new PreparedReads()
  const plain = prepare(reads, rawRequest(address))

  const other = prepare(reads, rawRequest(address, { headers: { [name]: values[name] } }))

  expect(other).not.toBe(plain)
})

test('another value in the address is another read', () => {
  const reads = new PreparedReads()
  prepare(reads, rawRequest('books?shelf=eq.1'))

  expect(prepare(reads, rawRequest('books?shelf=eq.2')).statement.values).toContain('2')
})

test('when the schema was read again, a read is planned anew', () => {
  const reads = new PreparedReads()
  const before = prepare(reads, rawRequest(address))

  expect(prepare(reads, rawRequest(address), { ...library })).not.toBe(before)
})

test('a write is planned each time', () => {
  const reads = new PreparedReads()
  const write = rawRequest('books', { method: 'POST', body: '{"title":"Rayuela"}' })

  expect(prepare(reads, write)).not.toBe(prepare(reads, write))
})

test('a thousand reads are kept, the oldest makes room', () => {
  const reads = new PreparedReads()
  const first = prepare(reads, rawRequest('books?shelf=eq.0'))
  for (let shelf = 1; shelf < 1000; shelf += 1) prepare(reads, rawRequest(`books?shelf=eq.${shelf}`))
  expect(prepare(reads, rawRequest('books?shelf=eq.0'))).toBe(first)

  prepare(reads, rawRequest('books?shelf=eq.1000'))

  expect(prepare(reads, rawRequest('books?shelf=eq.0'))).not.toBe(first)
})
