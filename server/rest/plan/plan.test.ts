import { expect, test } from 'vitest'
import { parseCall, parseRequest } from '#rest/parse/parse.ts'
import { planCall } from './call.ts'
import { planRequest } from './plan.ts'
import { isShortRead } from './short.ts'
import { library, rawRequest } from '#rest/testing/example-schema.ts'

const refusal = (status: number, code: string) => expect.objectContaining({ status, code })
const plan = (address: string, method = 'GET', body = '', prefer = '') =>
  planRequest(library, parseRequest(rawRequest(address, { method, body, headers: { prefer } })))
const readPlan = (address: string) => {
  const planned = plan(address)
  if (planned.action !== 'read') throw new Error('A GET is planned as a read.')
  return planned.level
}

test('a read cannot request more than 1,000 rows', () => {
  expect(readPlan('books').limit).toBeNull()
  expect(readPlan('books?limit=5').limit).toBe(5)
  expect(readPlan('books?limit=5000').limit).toBe(1000)
})

test.each([
  ['printed.desc', ['printed desc', 'shelf desc', 'id desc']],
  ['printed.desc,id.asc', ['printed desc', 'id asc', 'shelf desc']],
])('the order %s continues with the primary key, descending', (order, terms) => {
  expect(
    readPlan(`books?order=${order}`).order.map(({ field, direction }) => `${field.column.name} ${direction}`),
  ).toEqual(terms)
})

test.each([
  ['books?select=authors(name)', [['books_author_fkey', true]]],
  [
    'authors?select=portraits(painter),books(title)',
    [
      ['portraits_id_fkey', true],
      ['books_author_fkey', false],
    ],
  ],
  ['loans?select=members!loans_lender_fkey(id)', [['loans_lender_fkey', true]]],
  ['loans?select=members!borrower(id)', [['loans_borrower_fkey', true]]],
  ['loans?select=lender(id)', [['loans_lender_fkey', true]]],
  ['loans?select=loans_lender_fkey(id)', [['loans_lender_fkey', true]]],
  ['members?select=loans!lender(lender)', [['loans_lender_fkey', false]]],
  // `novels` is a view that contains the columns of a foreign key unchanged.
  ['novels?select=authors(name)', [['books_author_fkey', true]]],
  ['authors?select=novels(price)', [['books_author_fkey', false]]],
])('%s follows a foreign key and embeds one object if there can be only one', (address, ways) => {
  expect(
    readPlan(address).selection.map(
      (entry) => entry.kind === 'embed' && [entry.relationship.key, entry.relationship.isToOne],
    ),
  ).toEqual(ways)
})

test.each([
  ['nothing', 404, 'PGRST205'],
  ['books?select=nothing', 400, '42703'],
  ['books?nothing=eq.1', 400, '42703'],
  ['books?or=(nothing.eq.1)', 400, '42703'],
  ['books?order=nothing', 400, '42703'],
  ['books?select=members(id)', 400, 'PGRST200'],
  ['books?select=nothing(id)', 400, 'PGRST200'],
  // The missing relationship is reported before the missing column. PostgREST checks relationships itself, but
  // PostgreSQL checks the columns later.
  ['books?select=nothing,members(id)', 400, 'PGRST200'],
  ['books?select=authors(nothing,members(id))', 400, 'PGRST200'],
  ['books?nothing=eq.1&select=members(id)', 400, 'PGRST200'],
  ['loans?select=members!colour(id)', 400, 'PGRST200'],
  ['novels?select=members(id)', 400, 'PGRST200'],
  ['books?select=authors(nothing)', 400, '42703'],
  ['loans?select=members(id)', 300, 'PGRST201'],
  ['loans?select=members!lender(id),members!borrower(id)', 400, '42712'],
  ['books?authors.name=eq.x', 400, 'PGRST108'],
  ['books?select=authors(name)&authors.colour=eq.x', 400, '42703'],
  ['books?select=authors(name)&authors.books.title=eq.x', 400, 'PGRST108'],
  ['books?select=authors(name)&authors=eq.x', 400, 'PGRST120'],
  ['books?order=authors(name)', 400, 'PGRST108'],
  ['authors?select=books(id)&order=books(title)', 400, 'PGRST118'],
  ['books?select=title::regclass', 400, '42704'],
] as const)('GET %s is refused with %i %s', (address, status, code) => {
  expect(() => plan(address)).toThrow(refusal(status, code))
})

test.each([
  ['books?price=near.5', '"failed to parse filter (near.5)" (line 1, column 1)'],
  ['books?limit=-1', 'Requested range not satisfiable'],
  ['books?authors.name=eq.x', "'authors' is not an embedded resource in this request"],
  ['books?select=authors(name)&authors=eq.x', "Bad operator on the 'authors' embedded resource"],
  ['books?select=price.sum()', 'Use of aggregate functions is not allowed'],
  ['books?title=match.(a+)', 'Feature not implemented'],
  [
    'books?select=members(id)',
    "Could not find a relationship between 'books' and 'members' in the schema cache",
  ],
  ['nothing', "Could not find the table 'public.nothing' in the schema cache"],
  ['books?or=(colour.eq.red)', 'column books.colour does not exist'],
  ['books?select=title::regclass', 'type "regclass" does not exist'],
])('the refusal of %s says %s', (address, message) => {
  expect(() => plan(address)).toThrow(expect.objectContaining({ message }))
})

test.each(['book', 'books?select=pric', 'books?titel=eq.x'])(
  'the refusal of the misspelled name in %s does not suggest the right name',
  (address) => {
    expect(() => plan(address)).toThrow(
      expect.objectContaining({ fields: expect.objectContaining({ hint: null }) }),
    )
  },
)

test.each([
  ['PUT', {}, '{}', 'Unsupported HTTP method: PUT'],
  ['GET', { 'accept-profile': 'auth' }, '', 'Invalid schema: auth'],
  ['GET', { accept: 'application/vnd.pgrst.plan' }, '', expect.stringMatching(/^None of these media types/)],
  ['GET', { prefer: 'handling=strict, a=b' }, '', 'Invalid preferences given with handling=strict'],
  ['POST', {}, '[{"title":"a"},{"price":1}]', 'All object keys must match'],
  ['POST', {}, '{"__proto__":{}}', "Could not find the '__proto__' column of 'books' in the schema cache"],
  ['DELETE', {}, '', 'DELETE requires a WHERE clause'],
])(
  'the refusal of %s with the headers %j and the body %s has its message',
  (method, headers, body, message) => {
    expect(() => planRequest(library, parseRequest(rawRequest('books', { method, headers, body })))).toThrow(
      expect.objectContaining({ message }),
    )
  },
)

test('the error for an ambiguous embed names the possible foreign keys', () => {
  expect(() => plan('loans?select=members(id)')).toThrow(
    expect.objectContaining({
      fields: {
        details: [
          {
            cardinality: 'many-to-one',
            embedding: 'loans with members',
            relationship: 'loans_lender_fkey using loans(lender) and members(id)',
          },
          expect.objectContaining({
            relationship: 'loans_borrower_fkey using loans(borrower) and members(id)',
          }),
        ],
        hint: "Try changing 'members' to one of the following: 'members!loans_lender_fkey', 'members!loans_borrower_fkey'. Find the desired relationship in the 'details' key.",
      },
    }),
  )
})

const columns = library.tables.get('books')?.columns.size ?? 0
const paths = (count: number) => Array.from({ length: count }, (_, index) => `facts->k${index}`).join(',')

test.each([
  ['mentions of one column', '*,*,*,*', '*,*,*,*,title'],
  [
    'entries with names chosen by the client',
    `*,*,${paths(50 - 2 * columns)}`,
    `*,*,${paths(51 - 2 * columns)}`,
  ],
])('a select list with more %s than the limit is refused', (_what, most, more) => {
  expect(plan(`books?select=${most}`)).toBeDefined()
  expect(() => plan(`books?select=${more}`)).toThrow(refusal(400, 'PGRST100'))
})

test('a write sets the columns listed in columns=, or the keys of its body if columns= is missing', () => {
  const written = (address: string, body: string) => {
    const planned = plan(address, 'POST', body)
    return planned.action === 'insert' && planned.columns.map(({ name }) => name)
  }

  expect(written('books', '{"title":"x","price":1}')).toEqual(['title', 'price'])
  expect(written('books?columns="title"', '[{"title":"x","nothing":1},{}]')).toEqual(['title'])
})

test.each([
  ['books', 'POST', '{"nothing":1}', 'PGRST204'],
  ['books', 'POST', '{"__proto__":1}', 'PGRST204'],
  ['books?columns=nothing', 'POST', '{}', 'PGRST204'],
  ['books', 'POST', '[{"title":"a"},{"price":1}]', 'PGRST102'],
  ['books?id=eq.1', 'PATCH', '[{"title":"a"},{"price":1}]', 'PGRST102'],
  ['books?id=eq.1&limit=1', 'DELETE', '', 'PGRST127'],
  ['books?select=id', 'DELETE', '', '21000'],
  ['books?order=id', 'PATCH', '{"price":1}', '21000'],
  ['books', 'POST', '{"price":"0x1F"}', '22P02'],
])('a request to %s by %s with the body %s is refused with %s', (address, method, body, code) => {
  expect(() => plan(address, method, body)).toThrow(refusal(400, code))
})

test('a missing key gets its column’s default value if missing=default is set', () => {
  const insert = (body: string, prefer = 'missing=default') =>
    plan('books?columns=title,price', 'POST', body, prefer)

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
const get = (name: string, query: string, headers = {}) =>
  call(name, [], { method: 'GET', url: `/rpc/${name}?${query}`, headers })

test('the arguments in the body or the URL determine which function is called', () => {
  expect(call('lend', ['book']).given).toMatchObject([{ name: 'book' }])
  expect(call('lend', ['days', 'book']).given).toHaveLength(2)
  expect(get('list_books', 'about=casa&title=eq.x&limit=2')).toMatchObject({
    given: [{ name: 'about' }],
    level: { conditions: [{ field: { column: { name: 'title' } } }], limit: 2 },
  })
})

const strict = { prefer: 'handling=strict,max-affected=1' }

test.each([
  ['an argument is missing', 404, 'PGRST202', () => call('lend', ['days'])],
  ['an argument is unknown', 404, 'PGRST202', () => call('lend', ['book', 'other'])],
  ['the function does not exist', 404, 'PGRST202', () => call('nothing', [])],
  ['two functions match', 300, 'PGRST203', () => call('find', ['key'])],
  ['a GET calls a function that writes', 405, 'PGRST101', () => get('lend', 'book=x')],
  ['the method is DELETE', 405, 'PGRST101', () => call('count_books', [], { method: 'DELETE' })],
  ['the body is an array', 400, 'PGRST102', () => call('lend', [], { body: '[]' })],
  ['select= names a column of a scalar', 400, '42703', () => get('count_books', 'select=title')],
  ['a scalar is requested as CSV', 406, 'PGRST107', () => get('count_books', '', { accept: 'text/csv' })],
  [
    'max-affected limits the rows of a scalar',
    400,
    'PGRST128',
    () => call('count_books', [], { headers: strict }),
  ],
] as const)('a call is refused if %s: %i %s', (_why, status, code, planned) => {
  expect(planned).toThrow(refusal(status, code))
})

test('the refusal of a call names the function or the method', () => {
  expect(() => call('nothing', [])).toThrow(/^Could not find the function public\.nothing without parameters/)
  expect(() => call('count_books', [], { method: 'PUT' })).toThrow('Cannot use the PUT method on RPC')
  expect(() => call('count_books', [], { headers: strict })).toThrow(/^Function must return SETOF/)
})

test('a call passes the arguments listed in columns=, or the keys of its body if columns= is missing', () => {
  const more = { url: '/rest/v1/rpc/lend?columns=book', body: '{"book":"x","other":1}' }

  expect(call('lend', [], more).given).toMatchObject([{ name: 'book' }])
  expect(() => call('lend', [], { ...more, url: '/rest/v1/rpc/lend' })).toThrow(refusal(404, 'PGRST202'))
})

test('max-affected also applies to functions that return a set of scalars', () => {
  expect(call('list_titles', [], { headers: strict })).toMatchObject({ maxAffected: 1 })
})

const one = '11111111-1111-4111-8111-111111111111'
const isShort = (address: string) => {
  const planned = plan(address)
  return planned.action === 'read' && isShortRead(planned)
}

test.each([
  'books?shelf=eq.1&order=printed.desc&limit=100',
  'books?shelf=eq.1&order=printed.asc,id.asc&limit=5',
  'books?shelf=eq.1&limit=5',
  `books?id=eq.${one}&shelf=eq.1`,
])('%s is a short read, because an index finds the rows of the page', (address) => {
  expect(isShort(address)).toBe(true)
})

test.each([
  ['no equality filter', 'books?order=shelf,id&limit=1'],
  ['more than 100 rows', 'books?shelf=eq.1&order=printed.desc&limit=101'],
  ['no limit', 'books?shelf=eq.1&order=printed.desc'],
  ['an order without an index', 'books?shelf=eq.1&order=title.desc&limit=5'],
  ['an order of mixed directions', 'books?shelf=eq.1&order=printed.desc,id.asc&limit=5'],
  ['nulls at the other end of the order', 'books?shelf=eq.1&order=printed.desc.nullslast&limit=5'],
  ['an order by a JSON path', 'books?shelf=eq.1&order=facts->a.desc&limit=5'],
  ['a filter on a column without an index', 'books?author=eq.1&limit=5'],
  ['a filter that the index does not cover', 'books?shelf=eq.1&price=gt.5&order=printed.desc&limit=5'],
  ['a negated condition', 'books?shelf=not.eq.1&limit=5'],
  ['several values of a column', 'books?shelf=eq(any).{1,2}&limit=5'],
  ['an offset', 'books?shelf=eq.1&limit=5&offset=5'],
  ['embedded rows', 'books?shelf=eq.1&limit=5&select=authors(name)'],
  ['a part of the key', `books?id=eq.${one}`],
  ['a view', `novels?written_by=eq.${one}&limit=1`],
])('a read with %s is not a short read', (_, address) => {
  expect(isShort(address)).toBe(false)
})

test('a read that requests a count is not a short read', () => {
  const planned = plan('books?shelf=eq.1&limit=5', 'GET', '', 'count=exact')

  expect(planned.action === 'read' && isShortRead(planned)).toBe(false)
})
