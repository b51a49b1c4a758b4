/** The sweep of accounts that were never confirmed. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { addPerson, deposit, run } from './people.ts'

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const scope = asService('supabase_auth_admin', 'write')

/** An account that is so many days old; a confirmation signs in. */
async function addAccount(days: number, { isConfirmed = false, role = 'user' } = {}): Promise<string> {
  const id = crypto.randomUUID()
  const appMetadata = JSON.stringify(role === 'admin' ? { role } : {})
  await db.database.transaction(scope, [
    sql`
      insert into auth.users (id, email, raw_app_meta_data, created_at, email_confirmed_at)
      values (${id}, ${`${id}@banco.example`}, ${appMetadata}, now() - make_interval(days => ${days}),
        case when ${isConfirmed} then now() end)`,
  ])
  return id
}

async function sweep(): Promise<void> {
  await db.database.transaction(scope, [sql`select private.purge_expired(500)`])
}

const isThere = async (id: string) =>
  (await db.owner.query(sql`select from auth.users where id = ${id}`)).length === 1
const traces = () =>
  db.owner.query(sql`
    select (select count(*) from ledger.audit) as audit, (select count(*) from ledger.journal) as journal`)

test('an account that nobody confirmed is gone after seven days, and leaves nothing', async () => {
  const [over, fresh] = [await addAccount(8), await addAccount(6)]
  const before = await traces()

  await sweep()

  expect([await isThere(over), await isThere(fresh)]).toEqual([false, true])
  expect(await traces()).toEqual(before)
})

test('who confirmed, has a link that is good, was paid, or is an administrator stays', async () => {
  const office = await addPerson(db.database, 'admin')
  const confirmed = await addAccount(8, { isConfirmed: true })
  const administrator = await addAccount(8, { role: 'admin' })
  const linked = await addAccount(8)
  const paid = await addAccount(8)
  await db.database.transaction(scope, [
    sql`
      insert into auth.one_time_tokens (token_hash, user_id, token_type, relates_to, expires_at)
      values (${linked}, ${linked}, 'signup', 'a@banco.example', now() + interval '1 hour')`,
  ])
  await run(office, deposit({ ...office, id: paid }, '10'))

  await sweep()

  for (const id of [confirmed, administrator, linked, paid]) expect(await isThere(id)).toBe(true)
})
