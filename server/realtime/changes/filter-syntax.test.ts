import { expect, test } from 'vitest'
import { FilterError, parseFilter } from './filter-syntax.ts'

const bare = (text: string) => ({ text, isQuoted: false })
const quoted = (text: string) => ({ text, isQuoted: true })

test('a condition has a column, an operator and a value', () => {
  expect(parseFilter('user_id=eq.1')).toEqual([
    { column: 'user_id', isNegated: false, operator: 'eq', value: bare('1') },
  ])
})

test('conditions are separated by commas and may be negated', () => {
  expect(parseFilter('a=not.is.null,b=gte.2.50')).toEqual([
    { column: 'a', isNegated: true, operator: 'is', value: bare('null') },
    { column: 'b', isNegated: false, operator: 'gte', value: bare('2.50') },
  ])
})

test('quoted values may hold commas, parentheses, quotes and backslashes', () => {
  expect(parseFilter(String.raw`a=eq."x,(y) \"z\" \\",b=in.("1,2",3)`)).toEqual([
    { column: 'a', isNegated: false, operator: 'eq', value: quoted(String.raw`x,(y) "z" \ `.trim()) },
    { column: 'b', isNegated: false, operator: 'in', values: [quoted('1,2'), bare('3')] },
  ])
})

test('an empty list and an empty value are possible', () => {
  expect(parseFilter('a=in.(),b=eq.')).toEqual([
    { column: 'a', isNegated: false, operator: 'in', values: [] },
    { column: 'b', isNegated: false, operator: 'eq', value: bare('') },
  ])
})

test.for([
  '',
  'undefined',
  'a',
  'a=',
  'a=eq',
  '=eq.1',
  'a=match.x',
  'a=imatch.x',
  'a=not.not.eq.1',
  'a=in.1,2',
  'a=in.(1,2',
  'a=in.(1)x',
  'a=eq."x',
  'a=eq."x"y',
  'a=eq.1,',
  `a=in.(${'1,'.repeat(100)}1)`,
  Array.from({ length: 41 }, () => 'a=eq.1').join(','),
])('%s is no filter', (text) => {
  expect(() => parseFilter(text)).toThrow(FilterError)
})
