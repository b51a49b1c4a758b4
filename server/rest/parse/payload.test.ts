import { restWriteRowsMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { parsePayload } from './payload.ts'

const invalid = expect.objectContaining({ status: 400, code: 'PGRST102' })
const json = 'application/json; charset=utf-8'

test('the text of the body is kept, so that no digit of a number is lost', () => {
  const { json: text, keys, rowsCount } = parsePayload('{"amount":0.10000000000000000001}', json)

  expect(text).toBe('[{"amount":0.10000000000000000001}]')
  expect({ keys, rowsCount }).toEqual({ keys: ['amount'], rowsCount: 1 })
})

test('an array says whether its objects have the same keys, in any order', () => {
  expect(parsePayload('[{"a":1,"b":2},{"b":1,"a":2}]', json)).toMatchObject({
    isArray: true,
    isUniform: true,
  })
  expect(parsePayload('[{"a":1},{"b":1}]', json)).toMatchObject({ isUniform: false })
  expect(parsePayload('[]', undefined)).toMatchObject({ keys: [], rowsCount: 0, isUniform: true })
})

test.each(['', '{', 'null', '5', '"x"', '[1]', '[{},null]', '[[{}]]', 'NaN', '{"a":NaN}'])(
  '%j is no body',
  (body) => {
    expect(() => parsePayload(body, json)).toThrow(invalid)
  },
)

test('a body has at most the rows that one write may touch', () => {
  const rows = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({})))

  expect(parsePayload(rows(restWriteRowsMax), json)).toMatchObject({ rowsCount: restWriteRowsMax })
  expect(() => parsePayload(rows(restWriteRowsMax + 1), json)).toThrow(
    expect.objectContaining({
      status: 400,
      code: 'PGRST124',
      fields: { details: 'The body has 501 rows', hint: null },
    }),
  )
})

test('a key like __proto__ is a key like any other', () => {
  expect(parsePayload('{"__proto__":{"a":1},"constructor":2}', json).keys).toEqual([
    '__proto__',
    'constructor',
  ])
})

test('another content type and json of 21 levels are refused', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

  expect(() => parsePayload('a=1', 'application/x-www-form-urlencoded')).toThrow(invalid)
  expect(parsePayload(nested(20), json)).toBeDefined()
  expect(() => parsePayload(nested(22), json)).toThrow(invalid)
})
