import { expect, test } from 'vitest'
import { SqlError } from '#database/database.ts'
import { asWireError } from './error-answer.ts'

test.each(['22P05', '22003', '22008'])(
  'a value that no column takes (%s) is no mistake of ours',
  (sqlState) => {
    const error = new SqlError({ message: 'as PostgreSQL says it', sqlState })

    expect(asWireError(error)).toMatchObject({ status: 400, code: 'validation_failed' })
  },
)
