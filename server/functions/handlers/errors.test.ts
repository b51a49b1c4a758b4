import { expect, test } from 'vitest'
import { errorOfDatabase } from './errors.ts'

test.each(['22008', '22003', '22P02', '22P05'])('a value that no column takes (%s) is no bug', (sqlState) => {
  const error = errorOfDatabase(
    { sqlState, message: 'as PostgreSQL says it', detail: null, constraint: null },
    null,
  )

  expect(error).toMatchObject({ status: 400, message: 'Un dato de la solicitud no es válido.' })
})
