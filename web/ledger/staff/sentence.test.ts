import { expect, test } from 'vitest'
import { FunctionRefusal } from '#backend/functions.ts'
import { sentenceOf } from './sentence.ts'

test('a refusal has the server’s own sentence', () => {
  const refusal = new FunctionRefusal({ hasAnswered: true, status: 400, sentence: 'El usuario no existe.' })

  expect(sentenceOf(refusal)).toBe('El usuario no existe.')
})

test('a failure that answered without a sentence is no lost answer', () => {
  const failed = new FunctionRefusal({ hasAnswered: true, status: 500, sentence: '' })
  const lost = new FunctionRefusal({ hasAnswered: false, sentence: '' })

  expect(sentenceOf(failed)).toMatch(/^El banco no pudo hacerlo ahora\./)
  expect(sentenceOf(lost)).toMatch(/^No llegó la respuesta\./)
})
