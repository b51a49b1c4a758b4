import { expect, test } from 'vitest'
import { SqlError } from '#database/database.ts'
import { asWireError } from './error-answer.ts'

test('an answer that is too long is an error of the request and not of the server', () => {
  const error = new SqlError({ message: 'The answer is too long.', sqlState: 'FZ431' })

  expect(asWireError(error)).toMatchObject({ status: 400, message: expect.stringContaining('too long') })
})

test.each(['22P05', '22003', '22008'])(
  'a value that a column cannot store (%s) is not an internal error',
  (sqlState) => {
    const error = new SqlError({ message: 'as PostgreSQL says it', sqlState })

    expect(asWireError(error)).toMatchObject({ status: 400, code: 'validation_failed' })
  },
)

test('a reserved name is refused like any other invalid value', () => {
  const error = new SqlError({
    message: 'Este nombre está reservado.',
    sqlState: 'PT422',
    hint: 'reserved_name',
  })

  expect(asWireError(error)).toMatchObject({
    status: 422,
    code: 'validation_failed',
    message: 'This name is reserved by the bank',
  })
})

test('a full database disk is reported as an outage and not as overload', () => {
  const error = new SqlError({ message: 'No space left on device', sqlState: '53100' })

  expect(asWireError(error)).toMatchObject({
    status: 503,
    code: 'service_unavailable',
    message: 'The service cannot save anything now. Try again later.',
  })
})
