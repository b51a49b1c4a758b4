/** Goal: no client's text reaches the text of a statement. Method: random requests full of marked words. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { WireError } from '#server/http/wire-error.ts'
import { rawRequest, statementFor } from './example-schema.ts'

const runs = 3000

// The mark cannot be part of any name of the schema or word of SQL.
const marked = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `zq${text}zq`)
const value = fc.oneof(
  marked,
  fc.constantFrom(`'; drop table books; --zq`, '$1zq', '"zq"', `\\'zq`, 'zq\u0000'),
)
const column = fc.constantFrom('id', 'title', 'price', 'shelf', 'author', 'printed')
const name = fc.oneof({ weight: 4, arbitrary: column }, { weight: 1, arbitrary: value })
const quotedName = value.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`)
const operator = fc.constantFrom(
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'like',
  'ilike',
  'not.eq',
  'is',
  'in',
  'isdistinct',
  'cs',
  'cd',
  'ov',
  'eq(any)',
  'like(all)',
)
const filter = fc.tuple(name, operator, value).map(([left, by, right]) => [left, `${by}.${right}`] as const)
const list = fc
  .tuple(name, fc.array(quotedName, { maxLength: 4 }))
  .map(([left, items]) => [left, `in.(${items.join(',')})`] as const)
const tree = fc
  .tuple(
    fc.constantFrom('or', 'and', 'not.or'),
    fc.array(fc.tuple(name, operator, quotedName), { minLength: 1, maxLength: 4 }),
  )
  .map(([joiner, members]) => [joiner, `(${members.map((member) => member.join('.')).join(',')})`] as const)
const select = fc
  .array(
    fc.oneof(
      name,
      fc.tuple(quotedName, column).map((pair) => pair.join(':')),
      fc.constantFrom('authors(name)', 'authors!inner(name)', 'price::text', 'authors!books_author_fkey()'),
      quotedName.map((text) => `facts->${text}`),
      quotedName.map((text) => `${text}:marks->0->>${text}::integer`),
      quotedName.map((text) => `authors!${text}(name)`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((items) => ['select', items.join(',')] as const)
const others = fc.oneof(
  value.map((text) => ['authors.name', `eq.${text}`] as const),
  fc.constantFrom(['authors', 'not.is.null'] as const, ['order', 'authors(name),facts->zq'] as const),
  fc.tuple(quotedName, value).map(([key, text]) => [`facts->>${key}`, `eq.${text}`] as const),
  name.map((text) => ['order', `${text}.desc`] as const),
  value.map((text) => ['limit', text] as const),
  quotedName.map((text) => ['columns', text] as const),
  quotedName.map((text) => ['on_conflict', text] as const),
)
const query = fc.array(fc.oneof(filter, list, tree, select, others), { maxLength: 6 }).map((parameters) => {
  return new URLSearchParams(parameters.map(([key, text]): [string, string] => [key, text])).toString()
})
const body = fc.oneof(
  fc.dictionary(name, fc.oneof(value, fc.double())).map((row) => JSON.stringify(row)),
  value,
)
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
  table: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('books', 'authors') },
    { weight: 1, arbitrary: value },
  ),
  query,
  body,
  prefer: fc.constantFrom(
    '',
    'return=representation',
    'resolution=merge-duplicates',
    'count=exact',
    'missing=default',
    'handling=strict,max-affected=3',
  ),
  accept: fc.constantFrom('*/*', 'text/csv', 'application/vnd.pgrst.object+json;nulls=stripped'),
})

test('a statement holds names of the schema and numbers of parameters, and no word of the client', () => {
  let statements = 0
  fc.assert(
    fc.property(request, ({ method, table, query, body, prefer, accept }) => {
      const headers = { prefer, accept }
      const text = textOf(rawRequest(`${table}?${query}`, { method, table, body, headers }))
      if (text === null) return
      statements += 1
      expect(text).not.toContain('zq')
      expect(text).not.toMatch(/;|--|\\|'(?!\[\]')(?<!'\[\]')/)
    }),
    { numRuns: runs },
  )

  expect(statements).toBeGreaterThan(runs / 20)
})

test('whatever is in a query, it is planned or refused with a status below 500', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      textOf(rawRequest(`books?${text}`))
    }),
    { numRuns: runs },
  )
})

/** The statement's text, or `null` when the request was refused as it should be. */
function textOf(raw: ReturnType<typeof rawRequest>): string | null {
  try {
    return statementFor(raw).text
  } catch (error) {
    if (error instanceof WireError && error.status < 500) return null
    throw error
  }
}
