// Reads in a user's session end in time: by PostgreSQL's clock, and in expensive tests of rows (docs/decisions/0050).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCaller } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { addPerson } from './people.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const anybody = asCaller({ role: 'anon' }, 'read')
const rowsTested = async (rows: number, milliseconds: number) => {
  const [[answer]] = await db.database.transaction(anybody, [
    sql<{ count: number }>`
      select count(*) from generate_series(1, ${rows}::integer)
      where case when rest.has_time(${milliseconds}::integer) then true end`,
  ])
  return answer?.count
}

test('while there is time every row is tested', async () => {
  expect(await rowsTested(5000, 60_000)).toBe(5000)
})

test('when the time is over a thousand tests are made all the same, and one more ends the statement', async () => {
  expect(await rowsTested(1000, 0)).toBe(1000)
  await expect(rowsTested(1001, 0)).rejects.toMatchObject({ sqlState: 'FZ408' })
})

test('a read in a session has two seconds of PostgreSQL’s clock, a write keeps the server’s own', async () => {
  const ana = await addPerson(db.database, 'user')
  const timeoutOf = async (access: 'read' | 'write') => {
    const [[answer]] = await db.database.transaction(ana.as(access), [
      sql<{ timeout: string }>`select current_setting('statement_timeout') as timeout`,
    ])
    return answer?.timeout
  }

  expect(await timeoutOf('read')).toBe('2s')
  expect(await timeoutOf('write')).not.toBe('2s')
})
