import { isPlainLine } from '@finanzas/contract/format/plain-line.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, closeAccount, run, setRole } from './people.ts'

const bank = useBank()

const addAdministrator = () => addPerson(bank.database, 'admin')
const rolesOf = async (person: Person) =>
  (
    await bank.owner.query(sql<{ shown: string; counts: string }>`
      select p.role as shown, coalesce(u.raw_app_meta_data ->> 'role', 'user') as counts
      from public.profiles p join auth.users u using (id) where p.id = ${person.id}`)
  )[0]

test('a customer who lists the users gets an error, not an empty list', async () => {
  const customer = await bank.addCustomer()
  const list = sql`
    select p.full_name, p.role, s.email is not null as "hasEmail", s.last_sign_in_at
    from public.profiles p left join public.user_safe s using (id) order by p.role`

  const refusal = { sqlState: '42501' }
  await expect(run(customer, list)).rejects.toMatchObject(refusal)
  await expect(run(customer, sql`select * from public.user_safe`)).rejects.toMatchObject(refusal)
  expect(await run(bank.administrator, list)).toEqual([
    { full_name: 'Marta Ríos', role: 'admin', hasEmail: true, last_sign_in_at: null },
    { full_name: 'Ana Pérez', role: 'user', hasEmail: true, last_sign_in_at: null },
  ])
})

test('a role change by an administrator applies immediately in both the profile and auth.users', async () => {
  const customer = await bank.addCustomer()

  await run(bank.administrator, setRole(customer, 'admin'))

  expect(await rolesOf(customer)).toEqual({ shown: 'admin', counts: 'admin' })
  expect(await run(customer, sql`select private.is_admin() as admin`)).toEqual([{ admin: true }])
})

test('a role change in auth.users also changes the profile', async () => {
  const customer = await bank.addCustomer()

  await bank.owner.query(
    sql`update auth.users set raw_app_meta_data = '{"role": "admin"}' where id = ${customer.id}`,
  )

  expect(await rolesOf(customer)).toEqual({ shown: 'admin', counts: 'admin' })
})

test('a demoted administrator is signed out everywhere and has no rights left', async () => {
  const other = await addAdministrator()

  await run(bank.administrator, setRole(other, 'user'))

  expect(await rolesOf(other)).toEqual({ shown: 'user', counts: 'user' })
  await expect(run(other, sql`select 1`)).rejects.toMatchObject({ sqlState: 'FZ401' })
})

test('an administrator cannot demote or delete their own account, and cannot delete a user twice', async () => {
  const customer = await bank.addCustomer()
  const deletion = (person: Person) => run(bank.administrator, sql`select private.delete_user(${person.id})`)

  await expect(run(bank.administrator, setRole(bank.administrator, 'user'))).rejects.toMatchObject({
    message: 'No puedes cambiar tu propio rol.',
  })
  await expect(deletion(bank.administrator)).rejects.toMatchObject({
    message: 'No puedes eliminar tu propia cuenta desde aquí.',
  })
  await deletion(customer)
  await expect(deletion(customer)).rejects.toMatchObject({ sqlState: 'PT404' })
})

describe('in a bank with one administrator', () => {
  beforeEach(() =>
    bank.owner.query(
      sql`update auth.users set raw_app_meta_data = '{}' where raw_app_meta_data ? 'role' and id <> ${bank.administrator.id}`,
    ),
  )
  const ban = (person: Person, until: string | null) =>
    bank.owner.query(sql`update auth.users set banned_until = ${until} where id = ${person.id}`)

  test('the last administrator cannot be demoted, deleted or banned', async () => {
    const refusal = { sqlState: 'PT403', message: 'El banco necesita al menos un administrador.' }
    const second = await addAdministrator()
    await ban(second, '2999-01-01Z')

    await expect(ban(bank.administrator, '2999-01-01Z')).rejects.toMatchObject(refusal)
    await expect(
      bank.owner.query(
        sql`update auth.users set raw_app_meta_data = '{}' where id = ${bank.administrator.id}`,
      ),
    ).rejects.toMatchObject(refusal)
    await expect(closeAccount(bank.administrator)).rejects.toMatchObject(refusal)

    // A ban can be changed or lifted, and an administrator can be banned if another administrator remains.
    await ban(second, '2998-01-01Z')
    await ban(second, null)
    await ban(bank.administrator, '2999-01-01Z')
    await ban(bank.administrator, null)
  })

  test('two administrators who demote each other simultaneously cannot both lose the role', async () => {
    let one = bank.administrator
    for (let round = 0; round < 30; round += 1) {
      const other = await addAdministrator()

      const [, demoted] = await Promise.allSettled([
        run(one, setRole(other, 'user')),
        run(other, setRole(one, 'user')),
      ])

      expect(
        await bank.owner.query(sql`select from auth.users where raw_app_meta_data ->> 'role' = 'admin'`),
      ).toHaveLength(1)
      if (demoted.status === 'fulfilled') one = other
    }
  })
})

test.for([
  ['Ana\u202Egnimoc', 'Anagnimoc'],
  ['\u2066Ana\u2069 Pérez', 'Ana Pérez'],
  ['Ana\u2028Pérez\u0085', 'AnaPérez'],
  ['Ana Pe\u0301rez', 'Ana Pérez'],
  ['نور الدين', 'نور الدين'],
  [' \u202E\t ', null],
  ['\u200B\u200B', null],
  ['\u3164', null],
  ['Ana\u200F Pérez\uFEFF', 'Ana Pérez'],
  // The database reads only the first 500 characters of a name, because sorting combining marks takes quadratic
  // time.
  ['\u200F'.repeat(499) + 'Ana', 'A'],
  ['می\u200Cخواهم 👩\u200D👧', 'می\u200Cخواهم 👩\u200D👧'],
] as const)('the name %j is shown as %j', async ([written, shown]) => {
  const customer = await bank.addCustomer()

  await bank.asService(
    sql`update auth.users set raw_user_meta_data = ${JSON.stringify({ full_name: written })} where id = ${customer.id}`,
  )

  expect(
    await bank.owner.query(sql`select full_name from public.profiles where id = ${customer.id}`),
  ).toEqual([{ full_name: shown }])
})

test('the database and the parser of the functions refuse the same characters in every text', async () => {
  // The constraints that spell the characters. All others call one of the two functions.
  const spelled = await bank.owner.query(sql<{ expression: string; column: string }>`
    select pg_get_expr(k.conbin, k.conrelid) as expression, a.attname::text as column
    from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'c' and k.connamespace = 'public'::regnamespace
      and pg_get_expr(k.conbin, k.conrelid) like '%u2066%'`)
  const conditions = [
    ...spelled,
    { expression: 'private.is_word(word, 200)', column: 'word' },
    { expression: 'private.sanitize_name(full_name) is not distinct from full_name', column: 'full_name' },
  ]
  expect(spelled.length).toBeGreaterThan(0)
  for (const { expression, column } of conditions) {
    const points = await bank.owner.query<{ point: number; alone: boolean; within: boolean }>({
      text: `
        select point,
          (select ${expression} from (select chr(point)) as written (${column})) as alone,
          (select ${expression} from (select 'a' || chr(point) || 'a') as written (${column})) as within
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
    expect({ expression, differing }).toEqual({ expression, differing: [] })
  }
})
