import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { type Person, addPerson, run } from './people.ts'

let db: TestDatabase
let administrator: Person

beforeEach(async () => {
  db = await openTestDatabase()
  administrator = await addPerson(db.database, 'admin')
})
afterEach(() => db.close())

const setRole = (person: Person, role: string) =>
  sql`update public.profiles set role = ${role} where id = ${person.id}`
const rolesOf = async (person: Person) =>
  (
    await db.owner.query(sql<{ shown: string; counts: string }>`
      select p.role as shown, coalesce(u.raw_app_meta_data ->> 'role', 'user') as counts
      from public.profiles p join auth.users u using (id) where p.id = ${person.id}`)
  )[0]

test('the list of users is refused aloud to a customer, who could see none of it', async () => {
  const customer = await addPerson(db.database, 'user')
  const list = sql`select p.id, s.email from public.profiles p left join public.user_safe s using (id)`

  await expect(run(customer, list)).rejects.toMatchObject({ sqlState: '42501' })
  await expect(run(customer, sql`select * from public.user_safe`)).rejects.toMatchObject({
    sqlState: '42501',
  })
  expect(await run(administrator, list)).toHaveLength(2)
})

test('an administrator reads name, role, e-mail and last sign-in of everybody', async () => {
  await addPerson(db.database, 'user')

  const list = await run(
    administrator,
    sql`select p.full_name, p.role, s.email is not null as has_email, s.last_sign_in_at
        from public.profiles p join public.user_safe s using (id) order by p.role`,
  )

  expect(list).toEqual([
    { full_name: 'Ana Pérez', role: 'admin', has_email: true, last_sign_in_at: null },
    { full_name: 'Ana Pérez', role: 'user', has_email: true, last_sign_in_at: null },
  ])
})

test('a role that an administrator changes counts at once, in both places', async () => {
  const customer = await addPerson(db.database, 'user')

  await run(administrator, setRole(customer, 'admin'))

  expect(await rolesOf(customer)).toEqual({ shown: 'admin', counts: 'admin' })
  expect(await run(customer, sql`select private.is_admin() as admin`)).toEqual([{ admin: true }])
})

test('a role changed at its source shows in the profile', async () => {
  const customer = await addPerson(db.database, 'user')

  await db.owner.query(
    sql`update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = ${customer.id}`,
  )

  expect(await rolesOf(customer)).toEqual({ shown: 'admin', counts: 'admin' })
})

test('a demoted administrator is signed out everywhere and may nothing more', async () => {
  const other = await addPerson(db.database, 'admin')

  await run(administrator, setRole(other, 'user'))

  expect(await rolesOf(other)).toEqual({ shown: 'user', counts: 'user' })
  await expect(run(other, sql`select 1`)).rejects.toMatchObject({ sqlState: 'FZ401' })
})

test('the last administrator can be neither demoted nor deleted, by anybody', async () => {
  await expect(run(administrator, setRole(administrator, 'user'))).rejects.toMatchObject({
    message: 'No puedes cambiar tu propio rol.',
  })
  await expect(run(administrator, sql`select public.delete_user(${administrator.id})`)).rejects.toMatchObject(
    {
      message: 'No puedes eliminar tu propia cuenta desde aquí.',
    },
  )
  await expect(
    db.owner.query(sql`delete from auth.users where id = ${administrator.id}`),
  ).rejects.toMatchObject({
    message: 'El banco necesita al menos un administrador.',
  })
})

test('two administrators who demote each other at the same moment leave one, every time', async () => {
  const administratorsLeft = async () => {
    const [left] = await db.owner.query(
      sql<{ count: number }>`select count(*) from auth.users where raw_app_meta_data ->> 'role' = 'admin'`,
    )
    return left?.count
  }
  let one = administrator
  for (let round = 0; round < 30; round += 1) {
    const other = await addPerson(db.database, 'admin')

    const [, demoted] = await Promise.allSettled([
      run(one, setRole(other, 'user')),
      run(other, setRole(one, 'user')),
    ])

    expect(await administratorsLeft()).toBe(1)
    if (demoted.status === 'fulfilled') one = other
  }
})

test('whoever is deleted can be deleted only once', async () => {
  const customer = await addPerson(db.database, 'user')
  await run(administrator, sql`select public.delete_user(${customer.id})`)

  await expect(run(administrator, sql`select public.delete_user(${customer.id})`)).rejects.toMatchObject({
    sqlState: 'P0002',
  })
})

test('a banned administrator keeps nobody’s place: the last one who may sign in stays', async () => {
  const second = await addPerson(db.database, 'admin')
  const ban = (person: Person, until: string | null) =>
    db.owner.query(sql`update auth.users set banned_until = ${until} where id = ${person.id}`)
  const refusal = { sqlState: 'P0001', message: 'El banco necesita al menos un administrador.' }
  await ban(second, '2999-01-01Z')

  await expect(ban(administrator, '2999-01-01Z')).rejects.toMatchObject(refusal)
  await expect(
    db.owner.query(sql`update auth.users set raw_app_meta_data = '{}' where id = ${administrator.id}`),
  ).rejects.toMatchObject(refusal)
  await expect(
    db.owner.query(sql`delete from auth.users where id = ${administrator.id}`),
  ).rejects.toMatchObject(refusal)

  // A ban that is over, or longer than before, is none.
  await ban(second, '2998-01-01Z')
  await ban(second, null)
  await ban(administrator, '2999-01-01Z')
})
