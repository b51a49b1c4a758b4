import { expect, test } from 'vitest'
import { FunctionRefusal, TableRefusal } from '#api/errors.ts'
import { refusalText } from '#api/refusals.ts'
import { staffRefusals } from './refusals.ts'

const sentence = 'Solo un administrador.'
const tooMany = 'Se rechazaron demasiados cambios seguidos. Espera unos minutos.'
const isFailure = /^El banco no pudo hacerlo ahora\./
const isLost = /^No llegó la respuesta\./

test.for([
  ['refusal of a function shows its sentence', fromFunction(400, sentence), sentence],
  ['answer of a function without a sentence shows a failure of the bank', fromFunction(500, ''), isFailure],
  ['function that never answered shows a lost answer', fromFunction(undefined, ''), isLost],
  [
    'refusal of the table API shows its sentence',
    fromTable(403, { code: '42501', message: sentence }),
    sentence,
  ],
  [
    'refusal after too many refused changes shows its sentence',
    fromTable(429, { code: 'FZ429', message: tooMany }),
    tooMany,
  ],
  [
    'refusal of a key that was used before shows its sentence',
    fromTable(400, { code: 'FZ422', message: sentence }),
    sentence,
  ],
  [
    'session that the database ended shows a failure of the bank',
    fromTable(400, { code: 'FZ401', message: 'Session from session_id claim in JWT does not exist' }),
    isFailure,
  ],
  ['answer of the table API without a sentence shows a failure of the bank', fromTable(500, {}), isFailure],
  ['answer of another program shows a failure of the bank', fromTable(503, { message: '<html>' }), isFailure],
  ['table API that never answered shows a lost answer', fromTable(0, { message: 'Failed to fetch' }), isLost],
] as const)('the %s', ([, error, shown]) => {
  expect(refusalText(error, staffRefusals)).toMatch(shown)
})

function fromFunction(status: number | undefined, text: string) {
  const answer = status === undefined ? { hasAnswered: false } : { hasAnswered: true, status }
  return new FunctionRefusal({ ...answer, sentence: text })
}

function fromTable(status: number, error: { code?: string; message?: string }) {
  return new TableRefusal({ status, error })
}
