import { describe, expect, test } from 'vitest'
import { FilterError, parseFilter } from './filter-syntax.ts'
import { rowTest } from './filters.ts'

const columns = [
  { name: 'id', type: 'uuid' },
  { name: 'amount', type: 'numeric' },
  { name: 'date', type: 'timestamptz' },
  { name: 'note', type: 'text' },
  { name: 'paid', type: 'bool' },
  { name: 'tags', type: '_text' },
]
const row = {
  id: '00000000-0000-4000-8000-00000000000a',
  amount: 4.5,
  date: '2026-01-02T03:04:05.123456+00:00',
  note: 'Café',
  paid: true,
  tags: ['a'],
}
const passes = (filter: string, changed: object = {}) =>
  rowTest(parseFilter(filter), columns)({ ...row, ...changed })

test.for([
  'id=eq.00000000-0000-4000-8000-00000000000A',
  'amount=eq.4.50',
  'amount=neq.4',
  'amount=gt.-1e3',
  'amount=lte.4.5',
  'amount=in.(1,4.50)',
  'amount=in.(1, 4.50)',
  'date=eq.2026-01-01 22:04:05.123456-05:00',
  'date=gt.2026-01-02T03:04:05.123455Z',
  'date=gte.2026-01-02',
  'note=gte.Caf',
  'paid=eq.t',
  'amount=gt.4,note=eq.Café',
])('%s passes', (filter) => {
  expect(passes(filter)).toBe(true)
})

test.for([
  'id=neq.00000000-0000-4000-8000-00000000000a',
  'amount=lt.4.5',
  'amount=in.()',
  'date=lt.2026-01-02T03:04:05.123456Z',
  'note=eq.café',
  'amount=gt.4,note=eq.Té',
])('%s does not pass', (filter) => {
  expect(passes(filter)).toBe(false)
})

test.for(['note=eq.Café', 'note=neq.x', 'note=in.(x)'])('%s does not pass for null', (filter) => {
  expect(passes(filter, { note: null })).toBe(false)
})

test('NaN and infinity do not pass any comparison', () => {
  expect(passes('amount=gt.0', { amount: 'NaN' })).toBe(false)
  expect(passes('date=gt.2020-01-01', { date: 'infinity' })).toBe(false)
})

test.for([
  'missing=eq.1',
  'constructor=eq.1',
  'id=eq.1',
  'amount=eq.cuatro',
  'amount=in.(1,dos)',
  'date=gt.ayer',
  'paid=eq.maybe',
  'tags=eq.a',
])('%s does not fit the columns', (filter) => {
  expect(() => passes(filter)).toThrow(FilterError)
})

describe('the syntax', () => {
  test('a filter is a list of conditions that consist of a column, an operator and a value', () => {
    expect(parseFilter('user_id=eq.1,b=gte.2.50')).toEqual([
      { column: 'user_id', operator: 'eq', value: '1' },
      { column: 'b', operator: 'gte', value: '2.50' },
    ])
  })

  test('quoted values may contain any punctuation', () => {
    expect(parseFilter(String.raw`a=eq."x,(y) \"z\" \\",b=in.("1,2",3)`)).toEqual([
      { column: 'a', operator: 'eq', value: String.raw`x,(y) "z" \ `.trim() },
      { column: 'b', operator: 'in', values: ['1,2', '3'] },
    ])
  })

  test('a list may have blanks around its values, and quoted values keep their blanks', () => {
    expect(parseFilter('a=in.( 1, dos tres ," x " )')).toEqual([
      { column: 'a', operator: 'in', values: ['1', 'dos tres', ' x '] },
    ])
  })

  test('a filter can have an empty list and an empty value', () => {
    expect(parseFilter('a=in.(),b=eq.')).toEqual([
      { column: 'a', operator: 'in', values: [] },
      { column: 'b', operator: 'eq', value: '' },
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
    'a=like.x',
    'a=is.null',
    'a=isdistinct.1',
    'a=not.eq.1',
    'a=in.1,2',
    'a=in.(1,2',
    'a=in.(1)x',
    'a=eq."x',
    'a=eq."x"y',
    'a=eq.1,',
    `a=in.(${'1,'.repeat(100)}1)`,
    Array.from({ length: 41 }, () => 'a=eq.1').join(','),
  ])('%s is not a filter', (text) => {
    expect(() => parseFilter(text)).toThrow(FilterError)
  })
})
