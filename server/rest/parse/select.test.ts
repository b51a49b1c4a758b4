import { expect, test } from 'vitest'
import { parseSelect } from './select.ts'

const column = (name: string, alias: string | null = null) => ({
  kind: 'field',
  field: { column: name, path: [], isText: false },
  alias,
  cast: null,
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

test('a select list is columns, aliases and embedded tables', () => {
  expect(parseSelect('id,nombre:name,*,ficha:authors(title,*)')).toEqual([
    column('id'),
    column('name', 'nombre'),
    { kind: 'all' },
    embed('authors', [column('title'), { kind: 'all' }], { alias: 'ficha' }),
  ])
})

test('a quoted name may hold any character', () => {
  expect(parseSelect('"a,b(\\"c\\")":"x y"')).toEqual([column('x y', 'a,b("c")')])
})

test.each([
  '',
  ',',
  'id,',
  'a(b',
  'a)b',
  'a(b))',
  'a;b',
  '"open',
  'a()(',
  'a::',
  'a->',
  'a->>b->c',
  'a!x',
  'a->b(c)',
])('the list %j is refused', (list) => {
  expect(() => parseSelect(list)).toThrow(expect.objectContaining({ status: 400 }))
})

test.each([
  ['...authors(title)', 'PGRST127'],
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

test('an embedded table may have a hint, be required, be nested and be empty', () => {
  expect(parseSelect('a!key!inner(b!left(x))')).toEqual([
    embed('a', [embed('b', [column('x')])], { hint: 'key', isInner: true }),
  ])
  expect(parseSelect('x,c!inner()')).toEqual([column('x'), embed('c', [], { isInner: true })])
})

test('a field may be cast and lead into JSON', () => {
  expect(parseSelect('total:amount::text,data->a->-1->>b::integer')).toEqual([
    { ...column('amount', 'total'), cast: 'text' },
    {
      ...column('data'),
      field: { column: 'data', path: [{ key: 'a' }, { index: -1 }, { key: 'b' }], isText: true },
      cast: 'integer',
    },
  ])
  expect(parseSelect('data->1a')).toMatchObject([{ field: { path: [{ key: '1a' }] } }])
})

test('two embedded tables in all are read, at any depth, and three are too many', () => {
  const tooMany = expect.objectContaining({ status: 400, code: 'PGRST100' })

  expect(parseSelect('a(b(x))')).toHaveLength(1)
  expect(() => parseSelect('a(b(x)),c(x)')).toThrow(tooMany)
  expect(() => parseSelect('a(b(c(x)))')).toThrow(tooMany)
  expect(() => parseSelect('a('.repeat(4000))).toThrow(tooMany)
})
