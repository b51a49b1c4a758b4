import { expect, test } from 'vitest'
import { signsOf } from './requests.ts'

test.each([
  [0, []],
  [1, ['hour']],
  [2, ['amount']],
  [4, ['payee']],
  [7, ['payee', 'amount', 'hour']],
])('the risk value %i is decoded into the signs of risk', (risk, signs) => {
  expect(signsOf(risk)).toEqual(signs)
})
