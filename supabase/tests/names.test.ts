// Names that people gave themselves, as administrators read them. Seen red with the mirror that took out no more than
// control characters.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, run } from './people.ts'

let db: TestDatabase
let administrator: Person

beforeAll(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
})
afterAll(() => db.close())

test.each([
  ['Ana\u202Egnimoc', 'Anagnimoc'],
  ['\u2066Ana\u2069 Pérez', 'Ana Pérez'],
  ['Ana\u2028Pérez\u0085', 'AnaPérez'],
  ['Ana Pe\u0301rez', 'Ana Pérez'],
  ['نور الدين', 'نور الدين'],
  [' \u202E\t ', null],
])('who calls themself %j is shown as %j', async (written, shown) => {
  const customer = await addPerson(db.database, 'user')

  await db.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`update auth.users set raw_user_meta_data = ${JSON.stringify({ full_name: written })} where id = ${customer.id}`,
  ])

  expect(
    await run(administrator, sql`select full_name from public.profiles where id = ${customer.id}`),
  ).toEqual([{ full_name: shown }])
})
