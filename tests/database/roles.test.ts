// A role is stored twice: auth.users is authoritative, and the table API shows profiles. After every way to change a role
// and after every refusal, both have the same role.
import { beforeEach, describe, expect, test } from 'vitest'
import { type SqlStatement, sql } from '#server/database/database.ts'
import { settings } from './bank-settings.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, ageProof, run, setRole } from './people.ts'

const bank = useBank()
type Role = 'admin' | 'user'
const appMetadata = (role: Role) => JSON.stringify(role === 'admin' ? { role } : {})

/** Writes a role to auth.users, as the admin API and the commands of the operator do. */
const write = ({ id }: Person, role: Role) =>
  sql`update auth.users set raw_app_meta_data = ${appMetadata(role)} where id = ${id}`

let clerk: Person
let approver: Person
beforeEach(async () => {
  ;[clerk, approver] = [await addPerson(bank.database, 'admin'), await addPerson(bank.database, 'admin')]
})

/** Returns the ids as an array of SQL. */
const arrayOf = (rows: readonly { id: string }[]) => `{${rows.map(({ id }) => id).join(',')}}`
const approvalAbove = (sum: number | null) => settings({ staff_approval_above: sum, staff_proof: 'on' })

async function approveAll(): Promise<void> {
  const waiting = await bank.owner.query(
    sql<{ id: string }>`select id from public.requests where status = 'waiting' and asked_by = ${clerk.id}`,
  )
  await run(approver, sql`select public.decide_requests(${arrayOf(waiting)}, true)`)
}

const ways: Readonly<Record<string, (person: Person, role: Role) => Promise<unknown>>> = {
  'the specified update of profiles': (person, role) => run(clerk, setRole(person, role)),
  'the admin API': (person, role) => bank.asService(write(person, role)),
  'SQL of the operator': (person, role) => bank.owner.query(write(person, role)),
  'the command of the operator': (person, role) =>
    bank.asService(sql`select private.act_as('operator')`, write(person, role)),
  'a trigger of another program': ({ id }, role) =>
    bank.owner.script(`
      create table private.wanted_roles (role jsonb);
      create function private.write_wanted_role() returns trigger language plpgsql as $$
      begin
        update auth.users set raw_app_meta_data = new.role where id = '${id}';
        return null;
      end $$;
      create trigger write_role after insert on private.wanted_roles
        for each row execute function private.write_wanted_role();
      insert into private.wanted_roles values ('${appMetadata(role)}');
      drop table private.wanted_roles;
      drop function private.write_wanted_role()`),
  'the decision of a second administrator': async (person, role) => {
    await bank.asService(approvalAbove(1000))
    await run(clerk, setRole(person, role))
    expect(await rolesOf(person)).toEqual(bothHave(role === 'admin' ? 'user' : 'admin'))
    await approveAll()
    await bank.asService(approvalAbove(null))
  },
}

const refusals: Readonly<
  Record<string, { from: Role; code: string; act: (person: Person) => Promise<unknown> }>
> = {
  'an update of profiles without a caller': {
    from: 'user',
    code: '42501',
    act: (person) => bank.owner.query(setRole(person, 'admin')),
  },
  'an update of profiles by a customer': {
    from: 'user',
    code: '42501',
    act: (person) => run(person, setRole(person, 'admin')),
  },
  'a role that does not exist': {
    from: 'user',
    code: '23514',
    act: (person) => run(clerk, sql`update public.profiles set role = 'owner' where id = ${person.id}`),
  },
  'a change of the own role': {
    from: 'admin',
    code: 'PT403',
    act: (person) => run(person, setRole(person, 'user')),
  },
  'a change without a recent proof': {
    from: 'admin',
    code: '42501',
    act: async (person) => {
      await bank.asService(settings({ staff_proof: 'on' }))
      await ageProof(clerk, 11)
      await run(clerk, setRole(person, 'user'))
    },
  },
  'a promotion after a reset of the second factor': {
    from: 'user',
    code: 'PT403',
    act: async (person) => {
      await run(clerk, sql`select public.reset_factor(${person.id})`)
      await run(clerk, setRole(person, 'admin'))
    },
  },
  'a promotion by a signed-in administrator who claims to be the operator': {
    from: 'user',
    code: 'PT403',
    act: async (person) => {
      await bank.asService(approvalAbove(1000))
      try {
        await clerk.database.transaction(clerk.as('write'), [
          sql`select set_config('audit.context', '{"origin": "operator"}', true),
                set_config('role', 'supabase_auth_admin', true)`,
          write(person, 'admin'),
        ])
      } finally {
        await bank.asService(approvalAbove(null))
      }
    },
  },
  'a demotion that leaves one administrator where two are needed': {
    from: 'admin',
    code: 'PT403',
    act: async (person) => {
      await bank.asService(
        sql`select private.act_as('operator')`,
        sql`update auth.users set raw_app_meta_data = '{}'
            where raw_app_meta_data ? 'role' and id not in (${person.id}, ${clerk.id})`,
        approvalAbove(1000),
      )
      try {
        await run(clerk, setRole(person, 'user'))
      } finally {
        await bank.asService(approvalAbove(null))
      }
    },
  },
}

const bothHave = (role: Role) => ({ profile: role, user: role })

async function rolesOf({ id }: Person) {
  const [roles] = await bank.owner.query(sql<{ profile: Role; user: Role }>`
    select p.role as profile, coalesce(u.raw_app_meta_data ->> 'role', 'user') as user
    from public.profiles p join auth.users u using (id) where u.id = ${id}`)
  return roles
}

const differing: SqlStatement = sql`
  select u.email from auth.users u full join public.profiles p using (id)
  where (u.raw_app_meta_data ->> 'role' is not distinct from 'admin') is distinct from (p.role = 'admin')`

describe.each(Object.entries(ways))('%s', (_, change) => {
  test('writes a role to the user and to the profile', async () => {
    const customer = await bank.addCustomer()

    await change(customer, 'admin')
    expect(await rolesOf(customer)).toEqual(bothHave('admin'))

    await change(customer, 'user')
    expect(await rolesOf(customer)).toEqual(bothHave('user'))
  })
})

test.for(Object.entries(refusals))('%s is refused and changes no role', async ([, { from, code, act }]) => {
  const person = await addPerson(bank.database, from)

  await expect(act(person)).rejects.toMatchObject({ sqlState: code })

  expect(await rolesOf(person)).toEqual(bothHave(from))
  expect(await bank.owner.query(differing)).toEqual([])
})

test.for<readonly Role[]>([
  ['user', 'admin', 'user'],
  ['admin', 'user', 'admin'],
])('the last of several roles that the operator writes at once counts in both tables: %j', async (roles) => {
  const person = await addPerson(bank.database, roles[0] === 'user' ? 'admin' : 'user')

  await bank.asService(...roles.map((role) => write(person, role)))

  expect(await rolesOf(person)).toEqual(bothHave(roles.at(-1) ?? 'user'))
})

test('an update of many profiles changes both rows of each person', async () => {
  const customers = [await bank.addCustomer(), await bank.addCustomer()]

  await run(clerk, sql`update public.profiles set role = 'admin' where id = any (${arrayOf(customers)})`)

  for (const customer of customers) expect(await rolesOf(customer)).toEqual(bothHave('admin'))
})

test('another program that bans a person also ends the sessions of the person', async () => {
  const customer = await bank.addCustomer()
  const sessions = sql`select from auth.sessions where user_id = ${customer.id}`
  const ban = (until: string | null) =>
    bank.owner.query(sql`update auth.users set banned_until = ${until} where id = ${customer.id}`)

  await ban('2001-01-01Z')
  expect(await bank.owner.query(sessions)).toHaveLength(1)

  await ban('2999-01-01Z')
  expect(await bank.owner.query(sessions)).toEqual([])
})
