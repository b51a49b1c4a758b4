import { expect, test } from 'vitest'
import { parseFilter as readFilter, parseGroup } from './conditions.ts'

const field = (column: string) => ({ column, path: [], isText: false })
const parseFilter = (column: string, text: string) => readFilter(field(column), text)

const unparsable = expect.objectContaining({ status: 400, code: 'PGRST100' })

test('the value of a filter is everything after its operator', () => {
  expect(parseFilter('title', 'eq.a,b.(c)"d"')).toEqual({
    kind: 'filter',
    field: field('title'),
    isNegated: false,
    test: { operator: 'eq', quantifier: null, value: 'a,b.(c)"d"' },
  })
})

test.each(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'])(
  '%s compares, and not. turns it round',
  (operator) => {
    expect(parseFilter('a', `${operator}.1`)).toMatchObject({
      isNegated: false,
      test: { operator, value: '1' },
    })
    expect(parseFilter('a', `not.${operator}.1`)).toMatchObject({ isNegated: true, test: { operator } })
  },
)

test.each([
  ['in.(a,b)', ['a', 'b']],
  ['in.("a,b","c\\"d",e f)', ['a,b', 'c"d', 'e f']],
  ['in.()', []],
  ['in.("")', ['']],
])('%s is a list', (text, values) => {
  expect(parseFilter('a', text)).toMatchObject({ test: { operator: 'in', values } })
})

test('is takes null, not_null, true, false and unknown', () => {
  for (const value of ['null', 'not_null', 'true', 'false', 'unknown']) {
    expect(parseFilter('a', `is.${value}`)).toMatchObject({ test: { operator: 'is', value } })
  }
  expect(parseFilter('a', 'is.NULL')).toMatchObject({ test: { value: 'null' } })
})

test('the filter that follows a page is an or with an and in it', () => {
  const tree = parseGroup('or', false, '(date.lt."2026-01-01T00:00:00+00:00",and(date.eq.x,id.not.lt.7))')

  expect(tree).toEqual({
    kind: 'group',
    joiner: 'or',
    isNegated: false,
    members: [
      expect.objectContaining({
        field: field('date'),
        test: { operator: 'lt', quantifier: null, value: '2026-01-01T00:00:00+00:00' },
      }),
      {
        kind: 'group',
        joiner: 'and',
        isNegated: false,
        members: [
          expect.objectContaining({
            field: field('date'),
            test: { operator: 'eq', quantifier: null, value: 'x' },
          }),
          expect.objectContaining({ field: field('id'), isNegated: true }),
        ],
      },
    ],
  })
})

test('a group in a group may be negated, and a column may be called and', () => {
  expect(parseGroup('and', true, '(not.or(a.eq.1,b.is.null),and.eq.2)')).toMatchObject({
    isNegated: true,
    members: [
      { kind: 'group', joiner: 'or', isNegated: true },
      { kind: 'filter', field: field('and') },
    ],
  })
})

test.each([
  'foo.1',
  'eq',
  'eq1',
  'not.',
  '.eq.1',
  'eq(some).{a}',
  'neq(any).{a}',
  'in(any).(a)',
  'constructor.a',
  'is.nothing',
  'in.a',
  'in.(a',
  'in.(a)b',
  '',
])('the filter %j is refused', (text) => {
  expect(() => parseFilter('a', text)).toThrow(unparsable)
})

test.each(['', 'a.eq.1', '(a.eq.1', '(a)', '(a.eq.1))', '()', '(or(a.eq.1)', '(a.eq."x)'])(
  'the tree %j is refused',
  (text) => {
    expect(() => parseGroup('or', false, text)).toThrow(unparsable)
  },
)

test('a list of 101 values and a tree of 11 levels are too much', () => {
  const list = (length: number) => `in.(${Array(length).fill('a').join(',')})`
  const tree = (depth: number) => `${'(and'.repeat(depth - 1)}(a.eq.1)${')'.repeat(depth - 1)}`

  expect(parseFilter('a', list(100))).toBeDefined()
  expect(() => parseFilter('a', list(101))).toThrow(unparsable)
  expect(parseGroup('or', false, tree(10))).toBeDefined()
  expect(() => parseGroup('or', false, tree(11))).toThrow(unparsable)
})

test('the message says where reading stopped, as PostgREST does', () => {
  expect(() => parseFilter('a', 'foo.1')).toThrow('"failed to parse filter (foo.1)" (line 1, column 1)')
})

test('a comparison may be held against any or all of several values', () => {
  expect(parseFilter('a', 'like(any).{x*,*y}')).toMatchObject({
    test: { operator: 'like', quantifier: 'any', value: '{x*,*y}' },
  })
  expect(parseFilter('a', 'not.gt(all).{1,2}')).toMatchObject({
    isNegated: true,
    test: { quantifier: 'all' },
  })
})

test('in a tree an array in braces keeps its commas, and a path leads into JSON', () => {
  expect(parseGroup('and', false, '(tags.cs.{a,b},facts->size->>0.eq.7)')).toMatchObject({
    members: [
      { test: { operator: 'cs', value: '{a,b}' } },
      { field: { column: 'facts', path: [{ key: 'size' }, { index: 0 }], isText: true } },
    ],
  })
})

test.each([
  'match.a',
  'imatch.a',
  'not.match.a',
  'fts.a',
  'plfts.a',
  'phfts(simple).a b',
  'wfts(spanish).a',
  'not.fts.a',
])('%s is known and not served', (text) => {
  expect(() => parseFilter('a', text)).toThrow(expect.objectContaining({ status: 400, code: 'PGRST127' }))
})
