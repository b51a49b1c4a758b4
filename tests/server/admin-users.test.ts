// What the holder of the service key may not do to the bank's administrators, on a database of its own: elsewhere
// there are others.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, type Owner, sql } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from '#testing/database.ts'
import { type AdminChange, createUser, deleteUser, updateUser } from '#server/identity/user-management.ts'

const nothing: AdminChange = {
  email: null,
  passwordHash: null,
  isConfirmed: false,
  userMetadata: {},
  appMetadata: {},
  banSeconds: null,
}

let bank: TestDatabase
let database: Database
let owner: Owner

beforeAll(async () => {
  bank = await openTestDatabase()
  ;({ database, owner } = bank)
}, 60_000)

afterAll(() => bank.close())

async function administrator(name: string): Promise<string> {
  const email = `${name}@banco.example`
  const created = await createUser(database, { ...nothing, email, appMetadata: { role: 'admin' } })
  return created?.id ?? ''
}

test('the bank keeps an administrator who may sign in', async () => {
  const first = await administrator('primera')

  await expect(updateUser(database, first, { ...nothing, banSeconds: 60 })).rejects.toMatchObject({
    sqlState: 'P0001',
  })
  await expect(
    updateUser(database, first, { ...nothing, appMetadata: { role: null } }),
  ).rejects.toMatchObject({ sqlState: 'P0001' })
  await expect(deleteUser(database, first)).rejects.toMatchObject({ sqlState: 'P0001' })

  const second = await administrator('segunda')
  const bans = await Promise.allSettled(
    [first, second].map((id) => updateUser(database, id, { ...nothing, banSeconds: 60 })),
  )

  expect(bans.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [banned, free] = bans[0]?.status === 'fulfilled' ? [first, second] : [second, first]
  await expect(updateUser(database, free, { ...nothing, appMetadata: { role: null } })).rejects.toMatchObject(
    { sqlState: 'P0001' },
  )
  await expect(deleteUser(database, free)).rejects.toMatchObject({ sqlState: 'P0001' })
  expect(await deleteUser(database, banned)).toBe(true)
})

test('what an operator’s program does to somebody is in the audit, without a value of theirs', async () => {
  const email = 'ana@banco.example'
  const created = await createUser(database, { ...nothing, email })
  const id = created?.id ?? ''

  await updateUser(database, id, { ...nothing, passwordHash: 'x', email: 'otra@banco.example' })
  await updateUser(database, id, { ...nothing, banSeconds: 60 })
  await updateUser(database, id, { ...nothing, userMetadata: { full_name: 'Ana' } })
  await deleteUser(database, id)

  const entries = await owner.query<{ action: string; origin: string; entry: string }>(sql`
    select a.action, a.origin, to_jsonb(a)::text as entry from ledger.audit a where a.target = ${id} order by a.id`)
  expect(entries.map(({ action }) => action)).toEqual([
    'create_user',
    'set_password',
    'set_email',
    'ban_user',
    'delete_user',
  ])
  expect(new Set(entries.map(({ origin }) => origin))).toEqual(new Set(['service']))
  expect(entries.some(({ entry }) => entry.includes('banco.example'))).toBe(false)
})
