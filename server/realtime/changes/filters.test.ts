import { expect, test } from 'vitest'
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
