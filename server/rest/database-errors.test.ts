import { expect, test } from 'vitest'
import { DatabaseUnavailable, SqlError } from '#database/database.ts'
import { refusalOf } from './database-errors.ts'

const message = 'as PostgreSQL says it'
const refusal = (sqlState: string, isAnonymous = false) =>
  refusalOf(new SqlError({ message, sqlState, detail: 'more' }), isAnonymous)

test.each([
  ['22P02', 400],
  ['22003', 400],
  ['23502', 400],
  ['23514', 400],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['42501', 403],
  ['42703', 400],
  ['42883', 404],
  ['42P01', 404],
  ['P0001', 400],
  ['PT418', 418],
])('%s is answered with %i and in the words of PostgreSQL', (sqlState, status) => {
  expect(refusal(sqlState)).toMatchObject({ status, code: sqlState, message, fields: { details: 'more' } })
})

test('a missing privilege asks somebody who is not signed in to sign in', () => {
  expect(refusal('42501', true)).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
})

test('a session that has ended is a token that is no longer good', () => {
  expect(refusal('FZ401')).toMatchObject({ status: 401, code: 'PGRST303' })
})

test('a write of too many rows says how many there were', () => {
  expect(refusal('FZ413')).toMatchObject({ status: 400, code: 'PGRST124', fields: { details: 'more' } })
})

test.each(['40001', '40P01', '53300', '57P01', '08006'])(
  '%s passes: it is worth trying again',
  (sqlState) => {
    expect(refusal(sqlState)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
  },
)

test('a database that is away is worth trying again', () => {
  expect(refusalOf(new DatabaseUnavailable('away'), false)).toMatchObject({ status: 503, code: 'PGRST000' })
})

test.each(['42601', '42P17', 'XX000', '57014', '58030', '55P03'])(
  '%s is our mistake, and says nothing',
  (sqlState) => {
    const error = refusal(sqlState)

    expect(error).toMatchObject({ status: 500, code: 'PGRSTX00', message: 'Internal Server Error' })
    expect(JSON.stringify(error)).not.toContain(message)
  },
)
