import { expect, test } from 'vitest'
import { parseFilter, parseGroup } from './parse-conditions.ts'

const unparsable = expect.objectContaining({ status: 400, code: 'PGRST100' })

test('the value of a filter is everything after its operator', () => {
  expect(parseFilter('title', 'eq.a,b.(c)"d"')).toEqual({
    kind: 'filter',
    column: 'title',
    isNegated: false,
    test: { operator: 'eq', value: 'a,b.(c)"d"' },
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
        column: 'date',
        test: { operator: 'lt', value: '2026-01-01T00:00:00+00:00' },
      }),
      {
        kind: 'group',
        joiner: 'and',
        isNegated: false,
        members: [
          expect.objectContaining({ column: 'date', test: { operator: 'eq', value: 'x' } }),
          expect.objectContaining({ column: 'id', isNegated: true }),
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
      { kind: 'filter', column: 'and' },
    ],
  })
})

test.each([
  'foo.1',
  'eq',
  'eq1',
  'not.',
  '.eq.1',
  'match.a',
  'imatch.a',
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
