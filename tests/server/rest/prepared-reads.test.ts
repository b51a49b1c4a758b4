import { expect, test } from 'vitest'
import { PreparedReads } from '#server/rest/prepared-reads.ts'
import { askedHeaders } from '#server/rest/parse/parse.ts'
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

test('the same read is planned once', () => {
  const reads = new PreparedReads()

  expect(reads.prepare(library, rawRequest(address))).toBe(reads.prepare(library, rawRequest(address)))
})

test.each(askedHeaders)('another value of %s is another read', (name) => {
  const reads = new PreparedReads()
  const plain = reads.prepare(library, rawRequest(address))

  const other = reads.prepare(library, rawRequest(address, { headers: { [name]: values[name] } }))

  expect(other).not.toBe(plain)
})

test('another value in the address is another read', () => {
  const reads = new PreparedReads()
  reads.prepare(library, rawRequest('books?shelf=eq.1'))

  expect(reads.prepare(library, rawRequest('books?shelf=eq.2')).statement.values).toContain('2')
})

test('when the schema was read again, a read is planned anew', () => {
  const reads = new PreparedReads()
  const before = reads.prepare(library, rawRequest(address))

  expect(reads.prepare({ ...library }, rawRequest(address))).not.toBe(before)
})

test('a write is planned each time', () => {
  const reads = new PreparedReads()
  const write = rawRequest('books', { method: 'POST', body: '{"title":"Rayuela"}' })

  expect(reads.prepare(library, write)).not.toBe(reads.prepare(library, write))
})

test('a thousand reads are kept, the oldest makes room', () => {
  const reads = new PreparedReads()
  const first = reads.prepare(library, rawRequest('books?shelf=eq.0'))
  for (let shelf = 1; shelf < 1000; shelf += 1) reads.prepare(library, rawRequest(`books?shelf=eq.${shelf}`))
  expect(reads.prepare(library, rawRequest('books?shelf=eq.0'))).toBe(first)

  reads.prepare(library, rawRequest('books?shelf=eq.1000'))

  expect(reads.prepare(library, rawRequest('books?shelf=eq.0'))).not.toBe(first)
})
