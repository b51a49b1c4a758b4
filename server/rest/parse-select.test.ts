import { expect, test } from 'vitest'
import { parseSelect } from './parse-select.ts'

const column = (name: string, alias: string | null = null) => ({ kind: 'column', name, alias })

test('a select list is columns, aliases and embedded tables', () => {
  expect(parseSelect('id,nombre:name,*,ficha:authors(title,*)')).toEqual([
    column('id'),
    column('name', 'nombre'),
    { kind: 'all' },
    { kind: 'embed', table: 'authors', alias: 'ficha', items: [column('title'), { kind: 'all' }] },
  ])
})

test('a quoted name may hold any character', () => {
  expect(parseSelect('"a,b(\\"c\\")":"x y"')).toEqual([column('x y', 'a,b("c")')])
})

test.each(['', ',', 'id,', 'a(b', 'a)b', 'a(b))', 'a;b', '"open', 'a()('])(
  'the list %j is refused',
  (list) => {
    expect(() => parseSelect(list)).toThrow(expect.objectContaining({ status: 400 }))
  },
)

test.each([
  ['amount::text', 'PGRST127'],
  ['data->>key', 'PGRST127'],
  ['authors!inner(title)', 'PGRST127'],
  ['...authors(title)', 'PGRST127'],
  ['a(b(c))', 'PGRST127'],
  ['amount.sum()', 'PGRST123'],
  ['count()', 'PGRST123'],
])('%s is known and not served', (list, code) => {
  expect(() => parseSelect(list)).toThrow(expect.objectContaining({ status: 400, code }))
})

test('a list of 51 entries and one of 3 embedded tables are too long', () => {
  const tooLong = expect.objectContaining({ status: 400, code: 'PGRST100' })

  expect(parseSelect(Array(50).fill('a').join(','))).toHaveLength(50)
  expect(() => parseSelect(Array(51).fill('a').join(','))).toThrow(tooLong)
  expect(parseSelect('a(x),b(x)')).toHaveLength(2)
  expect(() => parseSelect('a(x),b(x),c(x)')).toThrow(tooLong)
})
