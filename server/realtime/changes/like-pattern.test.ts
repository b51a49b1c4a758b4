import { expect, test } from 'vitest'
import { likePattern } from './like-pattern.ts'

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

  // What takes long does so each time; a machine that stalls does not.
  expect(Math.min(measure(), measure(), measure())).toBeLessThan(2000)
})
