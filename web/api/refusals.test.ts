import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FunctionRefusal, TableRefusal } from './errors.ts'
import { refusalMessage, refusalText, type Refusals } from './refusals.ts'

const refusals: Refusals = {
  PT409: 'Ya no se puede.',
  PT429: (error) => (error instanceof TableRefusal ? 'Espera un día.' : ''),
  offline: 'No hay conexión.',
  noAnswer: 'No llegó la respuesta.',
  unavailable: 'Puede haber quedado hecho.',
  otherwise: 'No se pudo.',
}
const sentence = 'Escribe un monto.'

beforeEach(() => void vi.stubGlobal('navigator', { onLine: true }))

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.for([
  [
    'text of the page for the code comes before the sentence of the bank',
    refusal(409, 'PT409'),
    'Ya no se puede.',
  ],
  ['text of the page can depend on the error', refusal(429, 'PT429'), 'Espera un día.'],
  ['sentence of the bank comes before the text for the cause', refusal(503, 'PT503'), sentence],
  ['text of a function is the sentence of the bank', functionRefusal(500), sentence],
  ['English message of the database is never shown', refusal(400, '22P02'), 'No se pudo.'],
  ['sentence of a constraint is shown', refusal(400, '23514'), sentence],
  [
    'own message of PostgreSQL about a constraint is never shown',
    refusal(400, '23514', 'new row for relation "postings" violates check constraint "amount_is_money"'),
    'No se pudo.',
  ],
  [
    'message that hides the name of a constraint is never shown',
    refusal(400, '23514', 'A constraint of the database does not allow this'),
    'No se pudo.',
  ],
  ['customer learns that too many changes were refused', refusal(429, 'FZ429'), sentence],
  ['call that may have taken effect has its own text', refusal(500, 'XX000'), 'Puede haber quedado hecho.'],
  ['call without an answer has its own text', refusal(0, ''), 'No llegó la respuesta.'],
  [
    'code that could not be loaded counts as no answer',
    new TypeError('Failed to fetch'),
    'No llegó la respuesta.',
  ],
] as const)('the %s', ([, error, text]) => {
  expect(refusalText(error, refusals)).toBe(text)
})

test('a page without a connection says so', () => {
  vi.stubGlobal('navigator', { onLine: false })

  expect(refusalText(refusal(0, ''), refusals)).toBe('No hay conexión.')
})

test('a page needs only one text', () => {
  for (const error of [refusal(0, ''), refusal(500, ''), refusal(400, 'toString')])
    expect(refusalText(error, { otherwise: 'No se pudo.' })).toBe('No se pudo.')
})

test('a failed call is logged by its name, and its message has the title of the call', () => {
  const log = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const error = refusal(409, 'PT409')

  expect(refusalMessage(error, { name: 'transfer', title: 'No se envió', refusals })).toEqual({
    title: 'No se envió',
    description: 'Ya no se puede.',
  })
  expect(log).toHaveBeenCalledExactlyOnceWith('transfer:', error)
})

function refusal(status: number, code: string, message = sentence) {
  return new TableRefusal({ status, error: { code, message } })
}

function functionRefusal(status: number) {
  return new FunctionRefusal({ hasAnswered: true, status, sentence })
}
