import { expect, test } from 'vitest'
import { parseQuery } from './query.ts'

const parse = (query: string) => parseQuery(`/rest/v1/books?${query}`, { takesArguments: false })
const refusal = (code: string, status = 400) => expect.objectContaining({ status, code })
const column = (name: string) => ({ column: name, path: [], isText: false })
const conditions = (query: string) => parse(query).conditions
const select = (list: string) => parse(`select=${encodeURIComponent(list)}`).select

test('a query without parameters selects every column of every row', () => {
  expect(parse('')).toMatchObject({
    select: [{ kind: 'all' }],
    conditions: [],
    order: [],
    limit: null,
    offset: 0,
  })
})

test('every parameter is a filter, except for select and order and limit and offset', () => {
  expect(
    parse('select=id&order=printed.desc.nullslast,id&limit=5&offset=10&price=gt.3&title=eq.a+b%2Bc'),
  ).toMatchObject({
    order: [
      { field: column('printed'), direction: 'desc', nulls: 'last' },
      { field: column('id'), direction: 'asc', nulls: null },
    ],
    limit: 5,
    offset: 10,
    conditions: [
      { field: column('price'), test: { operator: 'gt', value: '3' } },
      { field: column('title'), test: { operator: 'eq', value: 'a b+c' } },
    ],
  })
})

test.each([
  ['a=eq.a,b.(c)"d"', false, { operator: 'eq', quantifier: null, value: 'a,b.(c)"d"' }],
  ...['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'isdistinct', 'cs', 'cd', 'ov'].map(
    (operator) => [`a=not.${operator}.1`, true, { operator, quantifier: null, value: '1' }] as const,
  ),
  ['a=like(any).{x*,*y}', false, { operator: 'like', quantifier: 'any', value: '{x*,*y}' }],
  ['a=not.gt(all).{1,2}', true, { operator: 'gt', quantifier: 'all', value: '{1,2}' }],
  ['a=in.(a,b)', false, { operator: 'in', values: ['a', 'b'] }],
  ['a=in.("a,b","c\\"d",e f)', false, { operator: 'in', values: ['a,b', 'c"d', 'e f'] }],
  ['a=in.()', false, { operator: 'in', values: [] }],
  ...['("")', '(   )', ' ( ) '].map(
    (list) => [`a=in.${list}`, false, { operator: 'in', values: [] }] as const,
  ),
  ['a=in.(",a"b,"c")', false, { operator: 'in', values: ['"', 'a"b', 'c'] }],
  ['a=in.( 1, 2)x', false, { operator: 'in', values: ['1', ' 2'] }],
  ['a=is.nullable', false, { operator: 'is', value: 'null' }],
  ...['null', 'not_null', 'true', 'false', 'unknown'].map(
    (value) => [`a=is.${value}`, false, { operator: 'is', value }] as const,
  ),
  ['a=is.NULL', false, { operator: 'is', value: 'null' }],
] as const)('the filter %s is parsed', (query, isNegated, held) => {
  expect(conditions(query)).toEqual([{ kind: 'filter', field: column('a'), isNegated, test: held }])
})

test('a filter for the next page is parsed as an OR group that contains an AND group', () => {
  const filter = (name: string, operator: string, value: string) => ({
    kind: 'filter',
    field: column(name),
    isNegated: false,
    test: { operator, quantifier: null, value },
  })

  expect(conditions('or=(date.lt."2026-01-01T00:00:00",and(date.eq.x,id.lt.7))')).toEqual([
    {
      kind: 'group',
      joiner: 'or',
      isNegated: false,
      members: [
        filter('date', 'lt', '2026-01-01T00:00:00'),
        {
          kind: 'group',
          joiner: 'and',
          isNegated: false,
          members: [filter('date', 'eq', 'x'), filter('id', 'lt', '7')],
        },
      ],
    },
  ])
})

test('a logic tree can negate groups and filters and contain arrays with commas', () => {
  expect(
    conditions('not.and=(not.or(a.not.eq.1,b.is.null),and.eq.2,tags.cs.{a,b},facts->size->>0.eq.7)'),
  ).toMatchObject([
    {
      isNegated: true,
      members: [
        { kind: 'group', joiner: 'or', isNegated: true, members: [{ isNegated: true }, {}] },
        { kind: 'filter', field: column('and') },
        { test: { operator: 'cs', value: '{a,b}' } },
        { field: { column: 'facts', path: [{ key: 'size' }, { index: 0 }], isText: true } },
      ],
    },
  ])
})

test('whitespace in a list is ignored, and so is text after the list’s closing parenthesis', () => {
  const plain = conditions('or=(a.eq.1,and(b.eq."x",c.is.null))')

  expect(conditions('or= ( a.eq.1, and ( b.eq."x", c.is.null) )) and more')).toEqual(plain)
  expect(select(' id , * ,authors( name )) more')).toEqual(select('id,*,authors(name)'))
})

test('an empty select list selects every column', () => {
  expect(select('')).toEqual([{ kind: 'all' }])
  expect(select(' ')).toEqual([{ kind: 'all' }])
  expect(select('authors()')).toMatchObject([{ kind: 'embed', items: [] }])
})

test('a key in a JSON path can contain any character that is not part of the grammar', () => {
  expect(select('facts->!@#$%^&*_d->>ab-c')).toMatchObject([
    { field: { column: 'facts', path: [{ key: '!@#$%^&*_d' }, { key: 'ab-c' }], isText: true } },
  ])
  expect(() => select('facts->>--34')).toThrow(refusal('PGRST100'))
})

test('an argument that occurs twice keeps both values', () => {
  const asked = parseQuery('/rest/v1/rpc/list?word=a&word=b', { takesArguments: true })

  expect(asked.arguments).toEqual(new Map([['word', ['a', 'b']]]))
})

test.each([
  ['a=noop.0', 'filter (noop.0)', 1, 'unexpected "o" expecting "not" or operator (eq, gt, ...)'],
  ['a=not.nope', 'filter (not.nope)', 5, 'unexpected "n" expecting operator (eq, gt, ...)'],
  ['or=()', 'logic tree (())', 4, 'unexpected ")" expecting field name (* or [a..z0..9_$])'],
  ['order=id.ac', 'order (id.ac)', 4, 'unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"'],
  ['order=id.descc', 'order (id.descc)', 8, `unexpected 'c' expecting delimiter (.), "," or end of input`],
  ['order=id.asc.nls', 'order (id.asc.nls)', 8, 'unexpected "l" expecting "nullsfirst" or "nullslast"'],
  ['order=id.nullslastt', 'order (id.nullslastt)', 13, `unexpected 't' expecting "," or end of input`],
  [
    'select=id,a(name[])',
    'select parameter (id,a(name[]))',
    10,
    `unexpected '[' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input`,
  ],
])('the refusal of %s shows the place and the character as PostgREST does', (query, what, at, details) => {
  const message = `"failed to parse ${what}" (line 1, column ${at})`

  expect(() => parse(query)).toThrow(expect.objectContaining({ message, fields: { details, hint: null } }))
})

const selected = (name: string, changes = {}) => ({
  kind: 'field',
  field: column(name),
  alias: null,
  cast: null,
  ...changes,
})
const embed = (target: string, items: unknown[], changes = {}) => ({
  kind: 'embed',
  target,
  alias: null,
  hint: null,
  isInner: false,
  items,
  ...changes,
})

test.each([
  [
    'id,nombre:name,*,ficha:authors(title,*)',
    [
      selected('id'),
      selected('name', { alias: 'nombre' }),
      { kind: 'all' },
      embed('authors', [selected('title'), { kind: 'all' }], { alias: 'ficha' }),
    ],
  ],
  ['"a,b(\\"c\\")":"x y"', [selected('x y', { alias: 'a,b("c")' })]],
  ['a!key!inner(b!left(x))', [embed('a', [embed('b', [selected('x')])], { hint: 'key', isInner: true })]],
  ['x,c!inner()', [selected('x'), embed('c', [], { isInner: true })]],
  ['total:amount::text', [selected('amount', { alias: 'total', cast: 'text' })]],
  [
    'data->a->-1->>b::integer,data->1a',
    [
      selected('data', {
        field: { column: 'data', path: [{ key: 'a' }, { index: -1 }, { key: 'b' }], isText: true },
        cast: 'integer',
      }),
      selected('data', { field: { column: 'data', path: [{ key: '1a' }], isText: false } }),
    ],
  ],
])('the select list %s is parsed', (list, items) => {
  expect(select(list)).toEqual(items)
})

test('a prefix before a filter or order or limit refers to an embedded table', () => {
  const { embedded } = parse(
    'books.price=gt.3&books.order=title&books.limit=2&books.loans.not.or=(a.eq.1,b.eq.2)',
  )

  expect(embedded.get('books')).toMatchObject({
    conditions: [{ field: column('price') }],
    order: [{ field: column('title') }],
    limit: 2,
  })
  expect(embedded.get('books')?.embedded.get('loans')?.conditions).toMatchObject([
    { joiner: 'or', isNegated: true },
  ])
})

test('several filters can apply to the same column', () => {
  expect(conditions('price=gt.1&price=lt.5&or=(id.eq.1)&or=(id.eq.2)')).toHaveLength(4)
})

const words = (text: string) => text.split(' ')
const filters = words(
  'foo.1 eq eq1 not. .eq.1 eq(some).{a} neq(any).{a} in(any).(a) constructor.a is.nothing in.a in.(a',
)
const trees = words('a.eq.1 (a.eq.1 (a) () (or(a.eq.1) (a.cs.{b}c) (xor(a.eq.1))')
const lists = words(', id, a(b *x a;b "open a:: a-> a->>b->c a!x a->b(c)')

test.each([
  ...['', ...filters].map((text) => ['PGRST100', `a=${text}`]),
  ...['', ...trees].map((text) => ['PGRST100', `or=${text}`]),
  ...lists.map((text) => ['PGRST100', `select=${text}`]),
  ...['x', '1.5', '', '1e3', '9999999999999'].map((text) => ['PGRST100', `limit=${text}`]),
  ...words('order=a.up select=id&select=id order=id&order=id limit=1&limit=2').map((text) => [
    'PGRST100',
    text,
  ]),
  // Regular expressions could run for a very long time, and a text search parses a document for each row.
  ...words('match imatch not.match fts plfts phfts(simple) wfts(spanish) not.fts').map((operator) => [
    'PGRST127',
    `a=${operator}.a`,
  ]),
  ['PGRST127', 'select=...authors(title)'],
  ['PGRST123', 'select=amount.sum()'],
  ['PGRST123', 'select=count()'],
])('%s is the refusal of %s', (code, query) => {
  expect(() => parse(query)).toThrow(refusal(code))
})

test('a negative limit is refused and a negative offset counts as zero', () => {
  expect(() => parse('limit=-1')).toThrow(refusal('PGRST103', 416))
  expect(parse('offset=-4').offset).toBe(0)
  expect(() => parse('a=foo.1')).toThrow('"failed to parse filter (foo.1)" (line 1, column 1)')
})

const repeated = (count: number, text: string, separator = ',') => Array(count).fill(text).join(separator)
const nested = (depth: number, start: string, end: string) => start.repeat(depth) + 'a' + end.repeat(depth)

test.each([
  ['filters', 30, (n: number) => repeated(n, 'a=gt.1', '&')],
  ['filters in a tree', 30, (n: number) => `or=(${repeated(n, 'a.gt.1')})`],
  ['values of a list', 100, (n: number) => `a=in.(${repeated(n, 'a')})`],
  ['levels of a tree', 10, (n: number) => `or=${nested(n - 1, '(and', ')').replace('a)', '(a.eq.1))')}`],
  ['order terms', 5, (n: number) => `order=${repeated(n, 'a')}`],
  ['entries of a select list', 50, (n: number) => `select=${repeated(n, 'a')}`],
  ['embedded tables', 2, (n: number) => `select=${repeated(n, 'a(x)')}`],
  ['nested embedded tables', 2, (n: number) => `select=${nested(n, 'a(', ')')}`],
  ['tables in the path of a filter', 2, (n: number) => `${'a.'.repeat(n)}x=eq.1`],
  ['steps into JSON', 20, (n: number) => `select=a${'->a'.repeat(n)}`],
])('a query with more %s than %i is refused', (_what, max, query) => {
  expect(parse(query(max))).toBeDefined()
  expect(() => parse(query(max + 1))).toThrow(refusal('PGRST100'))
})

test('a URL that is too long or too deeply nested is refused', () => {
  const path = (bytes: number) => `/books?a=eq.`.padEnd(bytes, 'x')

  expect(parseQuery(path(8192), { takesArguments: false }).conditions).toHaveLength(1)
  expect(() => parseQuery(path(8193), { takesArguments: false })).toThrow(refusal('PGRST100', 414))
  expect(() => parse(`${'a.'.repeat(4000)}x=eq.1`)).toThrow(refusal('PGRST100'))
  expect(() => parse(`select=${'a('.repeat(4000)}`)).toThrow(refusal('PGRST100'))
})
