/**
 * Random operations of administrators, services, the operator and plain SQL, some at the same moment: what `profiles`
 * shows of somebody is what counts in `auth.users`, after each of them, and one administrator who may sign in is left
 * (security.md AD-02, AD-05). Plant `mirror`: a change of the user does not reach the profile.
 */
import { type Database, type Owner, SqlError, sql } from '#server/database/database.ts'
import { asService } from '#server/database/scope.ts'
import { type Person, addPerson, run } from '#tests/database/people.ts'
import { type Engine, type Figure, atLeast, known, none } from '#nightly/report/figure.ts'
import { openPlace } from '#nightly/places/place.ts'
import { type Random, randomOf } from '#nightly/places/random.ts'

const peopleMin = 6
const peopleMax = 20
/** What somebody might write where only `admin` means anything. */
const authorities = [
  '{"role": "admin"}',
  '{}',
  '{"role": "user"}',
  '{"role": "root"}',
  '{"role": null}',
  '{"role": ["admin"]}',
]

type Operation = { readonly name: string; run(): Promise<unknown> }

/** Runs so many operations, up to three at a time. */
export async function runRoles(options: {
  engine: Engine
  operations: number
  seed: number
  plant?: 'mirror'
}): Promise<Figure[]> {
  const { engine, operations, seed, plant } = options
  const random = randomOf(seed)
  const place = await openPlace(engine)
  try {
    const { database, owner } = place
    if (plant === 'mirror') await owner.script('alter table auth.users disable trigger mirror_user')
    const people: Person[] = []
    for (let count = 0; count < peopleMin; count += 1)
      people.push(await addPerson(database, count < 2 ? 'admin' : 'user'))
    const done = { changed: 0, refused: 0 }
    let mismatches = 0
    let withoutAny = 0
    for (let begun = 0; begun < operations;) {
      const together = Math.min(random.one([1, 1, 2, 3]), operations - begun)
      begun += together
      const some = Array.from({ length: together }, () => anOperation(random, { database, owner, people }))
      const outcomes = await Promise.allSettled(some.map((operation) => operation.run()))
      for (const outcome of outcomes) {
        if (outcome.status === 'fulfilled') done.changed += 1
        else if (outcome.reason instanceof SqlError) done.refused += 1
        else throw outcome.reason
      }
      const state = await readState(owner)
      mismatches += state.mismatches
      if (state.administrators === 0) withoutAny += 1
    }
    return [
      atLeast(`operations, ${engine}`, done.changed + done.refused, operations),
      known('of these', `${done.changed} done, ${done.refused} refused by the database`),
      none('people whose profile shows another role than the one that counts', mismatches),
      none('moments without an administrator who may sign in', withoutAny),
    ]
  } finally {
    await place.close()
  }
}

function anOperation(
  random: Random,
  { database, owner, people }: { database: Database; owner: Owner; people: Person[] },
): Operation {
  const [one, other] = [random.one(people), random.one(people)]
  const role = random.one(['admin', 'user'])
  const authority = random.one(authorities)
  const until = random.one([null, 'infinity', '2000-01-01Z'])
  const kinds: Operation[] = [
    {
      name: 'a request changes a role',
      run: () => run(one, sql`update public.profiles set role = ${role} where id = ${other.id}`),
    },
    {
      name: 'a request changes every role',
      run: () => run(one, sql`update public.profiles set role = ${role} where role <> ${role}`),
    },
    {
      name: 'the service writes what counts',
      run: () =>
        database.transaction(asService('supabase_auth_admin', 'write'), [
          sql`update auth.users set raw_app_meta_data = ${authority} where id = ${one.id}`,
        ]),
    },
    {
      name: 'SQL writes what counts, and the name',
      run: () =>
        owner.query(sql`
          update auth.users
          set raw_app_meta_data = raw_app_meta_data || ${authority}, raw_user_meta_data = '{"role": "admin"}'
          where id = ${one.id}`),
    },
    {
      name: 'SQL writes what is shown',
      run: () => owner.query(sql`update public.profiles set role = ${role} where id = ${one.id}`),
    },
    {
      name: 'a ban, or its end',
      run: () => owner.query(sql`update auth.users set banned_until = ${until} where id = ${one.id}`),
    },
    {
      name: 'somebody new',
      async run() {
        if (people.length < peopleMax) people.push(await addPerson(database, random.one(['admin', 'user'])))
      },
    },
    {
      name: 'an administrator deletes somebody',
      async run() {
        if (people.length <= peopleMin) return
        await run(one, sql`select public.delete_user(${other.id})`)
        people.splice(people.indexOf(other), 1)
      },
    },
    {
      name: 'signing in again, for whose session a change of role has ended',
      run: () =>
        owner.query(sql`
          insert into auth.sessions (id, user_id)
          select ${one.sessionId}, u.id from auth.users u where u.id = ${one.id}
          on conflict do nothing`),
    },
  ]
  return random.one(kinds)
}

async function readState(owner: Owner): Promise<{ mismatches: number; administrators: number }> {
  const [state] = await owner.query(sql<{ mismatches: number; administrators: number }>`
    select
      count(*) filter (
        where p.role is distinct from case u.raw_app_meta_data ->> 'role' when 'admin' then 'admin' else 'user' end
      )::integer as mismatches,
      count(*) filter (
        where u.raw_app_meta_data ->> 'role' = 'admin' and (u.banned_until is null or u.banned_until <= now())
      )::integer as administrators
    from auth.users u
    full join public.profiles p on p.id = u.id`)
  return state ?? { mismatches: -1, administrators: 0 }
}
