// Names that people gave themselves, as administrators read them.
import { isPlainLine } from '@finanzas/contract/plain-line.ts'
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
  ['\u200B\u200B', null],
  ['\u3164', null],
  ['Ana\u200F Pérez\uFEFF', 'Ana Pérez'],
  ['می\u200Cخواهم 👩\u200D👧', 'می\u200Cخواهم 👩\u200D👧'],
])('who calls themself %j is shown as %j', async (written, shown) => {
  const customer = await addPerson(db.database, 'user')

  await db.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`update auth.users set raw_user_meta_data = ${JSON.stringify({ full_name: written })} where id = ${customer.id}`,
  ])

  expect(
    await run(administrator, sql`select full_name from public.profiles where id = ${customer.id}`),
  ).toEqual([{ full_name: shown }])
})

test.each(['description', 'category', 'full_name'])(
  'of a %s the database refuses the characters that the functions’ parser refuses, alone and between others',
  async (column) => {
    const [check] = await db.owner.query(sql<{ expression: string }>`
      select pg_get_expr(k.conbin, k.conrelid) as expression from pg_constraint k
      where k.conname = ${`transactions_${column}_is_a_${column === 'category' ? 'word' : 'line'}`}`)
    const condition = check?.expression ?? `private.sanitize_name(${column}) is not distinct from ${column}`
    const points = await db.owner.query<{ point: number; alone: boolean; within: boolean }>({
      text: `
        select point,
          (select ${condition} from (select chr(point)) as written (${column})) as alone,
          (select ${condition} from (select 'a' || chr(point) || 'a') as written (${column})) as within
        from (
          select generate_series(1, 55295) union all select generate_series(57344, 65535)
          union all select generate_series(119040, 119295) union all select generate_series(917504, 921855)
        ) as ranges (point)
        where chr(point) is nfc normalized and 'a' || chr(point) || 'a' is nfc normalized and point <> 32`,
      values: [],
    })

    const differing = points.filter(({ point, alone, within }) => {
      const character = String.fromCodePoint(point)
      return isPlainLine(character) !== alone || isPlainLine(`a${character}a`) !== within
    })

    expect(points.length).toBeGreaterThan(60_000)
    expect(differing).toEqual([])
  },
)
