import { expect, test } from 'vitest'
import { library, rawRequest } from '#rest/testing/example-schema.ts'
import { type RawRequest, parseRequest } from '#rest/parse/parse.ts'
import { planRequest } from '#rest/plan/plan.ts'
import { canonicalLocation, respond } from './respond.ts'
import type { Answer } from '#rest/sql/parts.ts'

function answerTo(raw: RawRequest, answer: Answer) {
  const request = parseRequest(raw)
  return respond(
    request,
    planRequest(library, request),
    answer,
    canonicalLocation(raw.url.slice('/rest/v1'.length)),
  )
}

const rows = (count: number, total?: number): Answer => ({
  body: JSON.stringify(Array.from({ length: count }, () => ({ id: 1 }))),
  rows: count,
  ...(total === undefined ? {} : { total }),
})

test.each([
  ['books', rows(5), 200, '0-4/*'],
  ['books', rows(0), 200, '*/*'],
  ['books?offset=5', rows(5), 200, '5-9/*'],
  ['books', rows(5, 5), 200, '0-4/5'],
  ['books?limit=5', rows(5, 37), 206, '0-4/37'],
  ['books', rows(0, 0), 200, '*/0'],
  ['books?limit=0', rows(0, 37), 206, '*/37'],
] as const)('GET %s with %o answers %i and the range %s', (address, answer, status, range) => {
  expect(answerTo(rawRequest(address), answer)).toMatchObject({ status, headers: { 'content-range': range } })
})

test('a read that requests a count is refused if its offset is past the last row', () => {
  expect(() => answerTo(rawRequest('books?offset=10'), rows(0, 3))).toThrow(
    expect.objectContaining({
      status: 416,
      fields: { details: 'An offset of 10 was requested, but there are only 3 rows.', hint: null },
      headers: { 'content-range': '*/3' },
    }),
  )
})

test('a request for one object is refused unless there is exactly one row', () => {
  const request = rawRequest('books', { headers: { accept: 'application/vnd.pgrst.object+json' } })

  expect(answerTo(request, rows(1)).body).toBe('{"id":1}')
  for (const count of [0, 2]) {
    expect(() => answerTo(request, rows(count))).toThrow(
      expect.objectContaining({ status: 406, code: 'PGRST116' }),
    )
  }
})

test.each([
  ['*/*', 'application/json; charset=utf-8'],
  ['application/vnd.pgrst.object+json', 'application/vnd.pgrst.object+json; charset=utf-8'],
  ['text/csv', 'text/csv; charset=utf-8'],
])('the answer to a request for %s has the media type %s', (accept, type) => {
  const request = rawRequest('books', { headers: { accept } })

  expect(answerTo(request, rows(1)).headers['content-type']).toBe(type)
})

test('an upsert that only updates rows gets a 200, and an upsert that inserts a row gets a 201', () => {
  const upsert = rawRequest('books', {
    method: 'POST',
    body: '{"title":"x"}',
    headers: { prefer: 'resolution=merge-duplicates' },
  })

  expect(answerTo(upsert, { body: null, rows: 1, inserted: 0 }).status).toBe(200)
  expect(answerTo(upsert, { body: null, rows: 2, inserted: 1 }).status).toBe(201)
})

test('the answer to an insert with return=headers-only contains the URL of the new row', () => {
  const insert = rawRequest('books', {
    method: 'POST',
    body: '{"title":"x"}',
    headers: { prefer: 'return=headers-only' },
  })

  const { headers, body } = answerTo(insert, { body: '[{"shelf":null,"id":"a b"}]', rows: 1 })
  expect(headers).toMatchObject({ location: '/books?shelf=is.null&id=eq.a%20b' })
  expect(body).toBeNull()
})

test.each([
  ['books', '/books'],
  ['books?', '/books'],
  ['books?select=*&price=gt.1&id=eq.a+b&price=lt.2', '/books?id=eq.a%20b&price=gt.1,lt.2&select=%2A'],
])('the Content-Location of %s has its parameters in order', (address, location) => {
  expect(answerTo(rawRequest(address), rows(0)).headers['content-location']).toBe(location)
})

const every =
  'resolution=merge-duplicates,missing=default,return=minimal,count=exact,handling=strict,max-affected=2'

test.each([
  ['books', 'GET', 'count=exact, handling=strict'],
  [
    'books',
    'POST',
    'resolution=merge-duplicates, missing=default, return=minimal, count=exact, handling=strict',
  ],
  // The preference `resolution` is not applied to tables without a primary key.
  ['loans', 'POST', 'missing=default, return=minimal, count=exact, handling=strict'],
  ['books?id=eq.1', 'PATCH', 'missing=default, return=minimal, count=exact, handling=strict, max-affected=2'],
  ['books?id=eq.1', 'DELETE', 'return=minimal, count=exact, handling=strict, max-affected=2'],
])('of all preferences for %s %s, the server applies %s', (address, method, applied) => {
  const request = rawRequest(address, { method, body: '{}', headers: { prefer: every } })

  expect(answerTo(request, rows(0, 0)).headers['preference-applied']).toBe(applied)
})
