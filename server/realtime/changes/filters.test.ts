import { describe, expect, test } from 'vitest'
import { FilterError, parseFilter } from './filter-syntax.ts'
import { rowTest } from './filters.ts'
import { likePattern } from './like-pattern.ts'

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
  'date=eq.2026-01-01 22:04:05.123456-05:00',
  'date=gt.2026-01-02T03:04:05.123455Z',
  'date=gte.2026-01-02',
  'note=like.C%',
  'note=not.like.c%',
  'note=ilike.c%',
  'note=gte.Caf',
  'note=not.in.(Ocio)',
  'paid=is.true',
  'paid=not.is.unknown',
  'paid=eq.t',
  'note=isdistinct.null',
  'note=not.isdistinct.Café',
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
  'paid=is.false',
  'paid=is.null',
  'amount=gt.4,note=eq.Té',
])('%s does not pass', (filter) => {
  expect(passes(filter)).toBe(false)
})

test.for([
  'note=eq.Café',
  'note=not.eq.Café',
  'note=neq.x',
  'note=in.(x)',
  'note=not.in.(x)',
  'note=not.like.x',
])('with null, %s is unknown and does not pass', (filter) => {
  expect(passes(filter, { note: null })).toBe(false)
})

test('null is found by is and isdistinct alone', () => {
  expect(passes('note=is.null', { note: null })).toBe(true)
  expect(passes('note=isdistinct.Café', { note: null })).toBe(true)
  expect(passes('note=isdistinct.null', { note: null })).toBe(false)
})

test('numbers that JSON has no word for are equal to nothing', () => {
  expect(passes('amount=gt.0', { amount: 'NaN' })).toBe(false)
  expect(passes('date=gt.2020-01-01', { date: 'infinity' })).toBe(false)
})

test.for([
  'missing=eq.1',
  'constructor=eq.1',
  'id=eq.1',
  'id=like.0%',
  'amount=eq.cuatro',
  'amount=in.(1,dos)',
  'amount=is.true',
  'date=gt.ayer',
  'paid=eq.maybe',
  'paid=is.maybe',
  'tags=eq.a',
  `note=like.${'a'.repeat(101)}`,
  `note=not.ilike.${'%'.repeat(101)}`,
])('%s does not fit the columns', (filter) => {
  expect(() => passes(filter)).toThrow(FilterError)
})

describe('the syntax', () => {
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

  test('quoted values may hold any punctuation', () => {
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
  ])('%s is not a filter', (text) => {
    expect(() => parseFilter(text)).toThrow(FilterError)
  })
})

describe('a pattern', () => {
  const exact = { foldsCase: false }

  test.for([
    ['Café', 'Café', true],
    ['Café', 'Caf', false],
    ['Caf%', 'Café con leche', true],
    ['%leche', 'Café con leche', true],
    ['%con%', 'Café con leche', true],
    ['C_f_', 'Café', true],
    ['C_f_', 'Cafés', false],
    ['%', '', true],
    ['', '', true],
    ['_', '', false],
    ['_', '💶', true],
    ['100\\%', '100%', true],
    ['100\\%', '1000', false],
    ['a\\\\b', 'a\\b', true],
    ['%a%b%c', 'xaxbxbxc', true],
    ['%a%b%c', 'xaxcxb', false],
    ['.*', 'anything', false],
  ] as const)('%s on %s is %s', ([pattern, text, expected]) => {
    expect(likePattern(pattern, exact)(text)).toBe(expected)
  })

  test('ilike folds case in pattern and text', () => {
    expect(likePattern('cAFÉ%', { foldsCase: true })('Café')).toBe(true)
    expect(likePattern('cAFÉ%', exact)('Café')).toBe(false)
  })

  test('a hostile pattern costs no more than its length times the text', () => {
    const matches = likePattern('%a'.repeat(2000) + '%b', exact)
    const measure = () => {
      const startedAt = performance.now()
      expect(matches('a'.repeat(5000))).toBe(false)
      return performance.now() - startedAt
    }

    // A slow match is slow each time; a stall of the machine is not.
    expect(Math.min(measure(), measure(), measure())).toBeLessThan(2000)
  })
})
