import { expect, test } from 'vitest'
import { FunctionRefusal, TableRefusal } from '#backend/errors.ts'
import { sentenceOf } from './sentence.ts'

test('a refusal shows the server’s sentence', () => {
  const refusal = new FunctionRefusal({ hasAnswered: true, status: 400, sentence: 'El usuario no existe.' })

  expect(sentenceOf(refusal)).toBe('El usuario no existe.')
})

test('an answer without a message does not count as a lost answer', () => {
  const failed = new FunctionRefusal({ hasAnswered: true, status: 500, sentence: '' })
  const lost = new FunctionRefusal({ hasAnswered: false, sentence: '' })

  expect(sentenceOf(failed)).toMatch(/^El banco no pudo hacerlo ahora\./)
  expect(sentenceOf(lost)).toMatch(/^No llegó la respuesta\./)
})

test.for([
  [
    'with a sentence shows that sentence',
    403,
    { code: '42501', message: 'Solo un administrador.' },
    /^Solo un administrador/,
  ],
  ['without a sentence shows a failure of the bank', 500, {}, /^El banco no pudo hacerlo ahora\./],
  [
    'from another program shows a failure of the bank',
    503,
    { message: '<html>' },
    /^El banco no pudo hacerlo ahora\./,
  ],
  [
    'that never arrived shows a lost answer',
    0,
    { code: '', message: 'TypeError: Failed to fetch' },
    /^No llegó la respuesta\./,
  ],
] as const)('an answer of the table API %s', ([, status, error, sentence]) => {
  expect(sentenceOf(new TableRefusal({ status, error }))).toMatch(sentence)
})
