// When a session is over, exact at the second (security.md SE-06). The clock stands still within a database
// transaction: instead of it, the session's own times are moved.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCallers, asService, setClaims } from '#server/database/scope.ts'
import { type TestDatabase, openTestDatabase } from './database.ts'
import { addPerson, expense, run } from './people.ts'

/** Of one person at one level of assurance; one more ends the oldest. */
const sessionsPerPersonMax = 50

let db: TestDatabase

beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())

const day = 24 * 3600

type Ages = { created: number; refreshed: number | null }

/** Whether a session that was opened and refreshed so many seconds ago is alive, and what refreshing it answers. */
async function tryRefresh(role: 'user' | 'admin', { created, refreshed }: Ages): Promise<[boolean, string]> {
  const person = await addPerson(db.database, role)
  const answers = await db.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`
      update auth.sessions
      set created_at = now() - make_interval(secs => ${created}),
          refreshed_at = now() - make_interval(secs => ${refreshed}::double precision)
      where id = ${person.sessionId}`,
    sql<{ alive: boolean }>`
      select auth.session_ends_at(s.created_at, s.refreshed_at, s.not_after, ${role === 'admin'}) > now() as alive
      from auth.sessions s where s.id = ${person.sessionId}`,
    sql<{ outcome: string }>`select r.outcome from auth.refresh_session(${person.sessionId}, 0, 10) as r`,
  ])
  return [answers[1][0]?.alive ?? false, answers[2][0]?.outcome ?? '']
}

test.each<['user' | 'admin', string, Ages]>([
  ['user', '30 days after it was opened', { created: 30 * day, refreshed: 60 }],
  ['user', '7 days without a refresh', { created: 20 * day, refreshed: 7 * day }],
  ['user', '7 days after it was opened, never refreshed', { created: 7 * day, refreshed: null }],
  ['admin', '12 hours after it was opened', { created: day / 2, refreshed: 60 }],
  ['admin', '30 minutes without a refresh', { created: 7200, refreshed: 1800 }],
  ['admin', '30 minutes after it was opened, never refreshed', { created: 1800, refreshed: null }],
])('a session (%s) is over %s, and alive a second before', async (role, _, ages) => {
  const oneSecondBefore = {
    created: ages.created - 1,
    refreshed: ages.refreshed === null ? null : ages.refreshed === 60 ? 59 : ages.refreshed - 1,
  }

  expect(await tryRefresh(role, ages)).toEqual([false, 'expired'])
  expect(await tryRefresh(role, oneSecondBefore)).toEqual([true, 'rotated'])
})

test('a request in a session that is over is refused, and one in a session that is not is served', async () => {
  const person = await addPerson(db.database, 'user')
  const age = (seconds: number) =>
    db.owner.query(
      sql`update auth.sessions set created_at = now() - make_interval(secs => ${seconds}) where id = ${person.sessionId}`,
    )
  const request = () => db.database.transaction(person.as('read'), [sql`select 1`])

  await age(7 * day - 60)
  await expect(request()).resolves.toHaveLength(1)
  await age(7 * day)
  await expect(request()).rejects.toMatchObject({ sqlState: 'FZ401' })
})

test('several people look in one database transaction: each sees their own, and nobody anything once one session is over', async () => {
  const [ana, luis] = [await addPerson(db.database, 'user'), await addPerson(db.database, 'user')]
  await run(ana, expense(ana, '1'))
  await run(luis, expense(luis, '2'))
  const callers = [ana, luis].map(({ id, sessionId }) => ({
    claims: { sub: id, session_id: sessionId, role: 'authenticated' },
  }))
  const owners = sql<{ user_id: string }>`select user_id from public.transactions`
  const look = () =>
    db.database.transaction(
      asCallers(callers, 'read'),
      callers.flatMap((caller) => [setClaims(caller), owners]),
    )

  expect((await look()).filter((_, place) => place % 2 === 1)).toEqual([
    [{ user_id: ana.id }],
    [{ user_id: luis.id }],
  ])
  await db.owner.query(sql`delete from auth.sessions where id = ${luis.sessionId}`)
  await expect(look()).rejects.toMatchObject({ sqlState: 'FZ401' })
})

test('who becomes an administrator has an administrator’s session from then on', async () => {
  const person = await addPerson(db.database, 'user')
  await db.owner.query(
    sql`update auth.sessions set created_at = now() - interval '1 hour' where id = ${person.sessionId}`,
  )

  await db.owner.query(
    sql`update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role": "admin"}' where id = ${person.id}`,
  )

  await expect(db.database.transaction(person.as('read'), [sql`select 1`])).rejects.toMatchObject({
    sqlState: 'FZ401',
  })
})

test('what is over is removed, what is not stays', async () => {
  const [over, alive] = [await addPerson(db.database, 'user'), await addPerson(db.database, 'user')]
  const scope = asService('supabase_auth_admin', 'write')
  await db.owner.query(
    sql`update auth.sessions set created_at = now() - interval '31 days' where id = ${over.sessionId}`,
  )
  for (const { id } of [over, alive]) {
    const age = id === over.id ? 91 : 89
    await db.database.transaction(scope, [
      sql`
        insert into auth.one_time_tokens (token_hash, user_id, token_type, relates_to, expires_at)
        values (${id}, ${id}, 'recovery', 'a@banco.example', now() + make_interval(secs => ${id === over.id ? -1 : 60}))`,
      sql`insert into auth.known_networks values (${id}, '10.0.0.1', now() - make_interval(days => ${age}))`,
      sql`insert into auth.outgoing_mails (sealed, next_try_at, created_at)
          values (${new Uint8Array([1])}, null, now() - make_interval(days => ${id === over.id ? 8 : 6}))`,
      sql`insert into throttle.buckets values (${id}, 1, 0, now() - make_interval(mins => ${id === over.id ? 61 : 59}))`,
    ])
  }

  await db.database.transaction(scope, [sql`select auth.purge_expired()`])

  const rows = await db.owner.query(sql`
    select
      (select count(*) from auth.sessions where id = any(array[${over.sessionId}, ${alive.sessionId}]::uuid[])) as sessions,
      (select count(*) from auth.one_time_tokens) as tokens,
      (select count(*) from auth.known_networks) as networks,
      (select count(*) from auth.outgoing_mails) as mails,
      (select count(*) from throttle.buckets) as buckets`)
  expect(rows).toEqual([{ sessions: 1, tokens: 1, networks: 1, mails: 1, buckets: 1 }])
})

test('a person has so many sessions at a level: one more ends the oldest, and none that has shown a factor', async () => {
  const person = await addPerson(db.database, 'user')
  const shown = crypto.randomUUID()
  await db.owner.query(sql`delete from auth.sessions where user_id = ${person.id}`)
  await db.owner.query(sql`
    insert into auth.sessions (id, user_id, aal, created_at)
    values (${shown}, ${person.id}, 'aal2', now() - interval '1 day')`)
  await db.owner.query(sql`
    insert into auth.sessions (id, user_id, created_at)
    select gen_random_uuid(), ${person.id}, now() - make_interval(mins => n)
    from generate_series(1, ${sessionsPerPersonMax}::integer) as n`)
  const opened = crypto.randomUUID()

  await db.database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`select auth.open_session(${opened}, ${person.id}, 'password', '{}')`,
  ])

  const left = await db.owner.query<{ id: string; minutes: number; aal: string }>(sql`
    select s.id, s.aal, (extract(epoch from now() - s.created_at) / 60)::integer as minutes
    from auth.sessions s where s.user_id = ${person.id} order by s.created_at`)
  const ordinary = left.filter(({ aal }) => aal === 'aal1')
  expect(ordinary).toHaveLength(sessionsPerPersonMax)
  expect(ordinary.at(-1)?.id).toBe(opened)
  expect(ordinary[0]?.minutes).toBe(sessionsPerPersonMax - 1)
  expect(left.filter(({ aal }) => aal === 'aal2').map(({ id }) => id)).toEqual([shown])
})

test('a token that was replaced long ago is a copy, however lately the session was refreshed', async () => {
  const person = await addPerson(db.database, 'user')
  const refresh = (counter: number) =>
    sql<{ outcome: string; counter: number }>`
      select r.outcome, r.counter from auth.refresh_session(${person.sessionId}, ${counter}, 10) as r`
  const present = async (counter: number) =>
    (await db.database.transaction(asService('supabase_auth_admin', 'write'), [refresh(counter)]))[0][0]
  const letPass = () =>
    db.owner.query(sql`
      update auth.sessions s
      set recent_refreshes = array(select r - interval '11 seconds' from unnest(s.recent_refreshes) as r)
      where s.id = ${person.sessionId}`)
  await present(0)
  await present(1)
  await letPass()
  await present(2)

  // Replaced eleven seconds ago, as 1 was; the session was refreshed just now.
  expect(await present(2)).toMatchObject({ outcome: 'reused', counter: 3 })
  expect(await present(1)).toMatchObject({ outcome: 'already_used' })
})

test('within ten seconds every token that was replaced in them gets the active one', async () => {
  const person = await addPerson(db.database, 'user')
  const present = async (counter: number) =>
    (
      await db.database.transaction(asService('supabase_auth_admin', 'write'), [
        sql<{ outcome: string; counter: number }>`
          select r.outcome, r.counter from auth.refresh_session(${person.sessionId}, ${counter}, 10) as r`,
      ])
    )[0][0]
  for (const counter of [0, 1, 2]) await present(counter)

  expect(await present(0)).toMatchObject({ outcome: 'reused', counter: 3 })
})
