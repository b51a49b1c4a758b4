import { expect, test } from 'vitest'
import { refusalOfDatabase } from './refusals.ts'

test.each(['22008', '22003', '22P02', '22P05'])(
  'a value that no column takes (%s) is no mistake of ours',
  (sqlState) => {
    const refusal = refusalOfDatabase(
      { sqlState, message: 'as PostgreSQL says it', detail: null, constraint: null },
      null,
    )

    expect(refusal).toMatchObject({ status: 400, message: 'Un dato de la solicitud no es válido.' })
  },
)
