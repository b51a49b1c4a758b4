// Tests that sessions end exactly on time (security.md SE-06), and tests their second factors. The tests change the
// session's timestamps, because the clock does not advance within a database transaction.
import { describe, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { asCallers, setClaims } from '#server/database/scope.ts'
import { useBank } from './database.ts'
import { type Person, addPerson, expense, openSession, run } from './people.ts'

/**
 * Maximum number of sessions that a user can have at one assurance level. When this number is exceeded, the oldest of
 * these sessions ends.
 */
const sessionsPerPersonMax = 50
const day = 24 * 3600

const bank = useBank()

type Ages = { created: number; refreshed: number | null }

/**
 * Creates a session that was created and last refreshed the given numbers of seconds ago. Returns whether the session
 * is still active, and the outcome of a refresh.
 */
async function tryRefresh(role: 'user' | 'admin', { created, refreshed }: Ages): Promise<[boolean, string]> {
  const person = await addPerson(bank.database, role)
  const [, [life], [refresh]] = await bank.asService(
    sql`
      update auth.sessions
      set created_at = now() - make_interval(secs => ${created}),
          refreshed_at = now() - make_interval(secs => ${refreshed}::double precision)
      where id = ${person.sessionId}`,
    sql<{ alive: boolean }>`
      select auth.session_ends_at(s.created_at, s.refreshed_at, s.not_after, ${role === 'admin'}) > now() as alive
      from auth.sessions s where s.id = ${person.sessionId}`,
    sql<{ outcome: string }>`select r.outcome from auth.refresh_session(${person.sessionId}, 0, 10) as r`,
  )
  return [life?.alive ?? false, refresh?.outcome ?? '']
}

test.for<['user' | 'admin', string, Ages]>([
  ['user', '30 days after it was opened', { created: 30 * day, refreshed: 60 }],
  ['user', '7 days without a refresh', { created: 20 * day, refreshed: 7 * day }],
  ['user', '7 days after it was opened, never refreshed', { created: 7 * day, refreshed: null }],
  ['admin', '12 hours after it was opened', { created: day / 2, refreshed: 60 }],
  ['admin', '30 minutes without a refresh', { created: 7200, refreshed: 1800 }],
  ['admin', '30 minutes after it was opened, never refreshed', { created: 1800, refreshed: null }],
])('a session (%s) ends %s and is alive a second before', async ([role, , { created, refreshed }]) => {
  const oneSecondBefore = { created: created - 1, refreshed: refreshed === null ? null : refreshed - 1 }

  expect(await tryRefresh(role, { created, refreshed })).toEqual([false, 'expired'])
  expect(await tryRefresh(role, oneSecondBefore)).toEqual([true, 'rotated'])
})

const openedAgo = (person: Person, seconds: number) =>
  bank.owner.query(
    sql`update auth.sessions set created_at = now() - make_interval(secs => ${seconds}) where id = ${person.sessionId}`,
  )

test('the session check ignores the caller’s search path and operators', async () => {
  await bank.addCustomer()
  await bank.owner.script(`
    create schema hostile;
    grant usage on schema hostile to public;
    create function hostile.always(uuid, uuid) returns boolean language sql return true;
    create operator hostile.= (leftarg = uuid, rightarg = uuid, function = hostile.always)`)

  const check = bank.owner.script(`
    begin;
    set local search_path = hostile, pg_catalog;
    select auth.require_session(gen_random_uuid(), gen_random_uuid())`)

  await expect(check).rejects.toMatchObject({ sqlState: 'FZ401' })
  await bank.owner.script('rollback')
})

test('a request is served in an active session and refused in an ended session', async () => {
  const person = await bank.addCustomer()
  const request = () => bank.database.transaction(person.as('read'), [sql`select 1`])

  await openedAgo(person, 7 * day - 60)
  await expect(request()).resolves.toHaveLength(1)
  await openedAgo(person, 7 * day)
  await expect(request()).rejects.toMatchObject({ sqlState: 'FZ401' })
})

test('callers who share a database transaction see only their own rows, and all requests fail if one session has ended', async () => {
  const people = [await bank.addCustomer(), await bank.addCustomer()] as const
  for (const person of people) await run(person, expense(person, '1'))
  const callers = people.map(({ id, sessionId }) => ({
    claims: { sub: id, session_id: sessionId, role: 'authenticated' },
  }))
  const owners = sql<{ user_id: string }>`select user_id from public.transactions`
  const look = () =>
    bank.database.transaction(
      asCallers(callers, 'read'),
      callers.flatMap((caller) => [setClaims(caller), owners]),
    )

  expect((await look()).filter((_, place) => place % 2 === 1)).toEqual(
    people.map(({ id }) => [{ user_id: id }]),
  )
  await bank.owner.query(sql`delete from auth.sessions where id = ${people[1].sessionId}`)
  await expect(look()).rejects.toMatchObject({ sqlState: 'FZ401' })
})

test('a promotion applies the shorter lifetime of administrator sessions to the user’s existing sessions', async () => {
  const person = await bank.addCustomer()
  await openedAgo(person, 3600)

  await bank.owner.query(
    sql`update auth.users set raw_app_meta_data = raw_app_meta_data || '{"role": "admin"}' where id = ${person.id}`,
  )

  await expect(run(person, sql`select 1`)).rejects.toMatchObject({ sqlState: 'FZ401' })
})

test('a new session above the limit ends the user’s oldest session at the same assurance level', async () => {
  const { id: person } = await bank.addCustomer()
  const [shown, opened] = [crypto.randomUUID(), crypto.randomUUID()]
  await bank.owner.query(sql`delete from auth.sessions where user_id = ${person}`)
  await bank.owner.query(sql`
    insert into auth.sessions (id, user_id, aal, created_at)
    values (${shown}, ${person}, 'aal2', now() - interval '1 day')`)
  await bank.owner.query(sql`
    insert into auth.sessions (id, user_id, created_at)
    select gen_random_uuid(), ${person}, now() - make_interval(mins => n)
    from generate_series(1, ${sessionsPerPersonMax}::integer) as n`)

  await bank.asService(sql`select auth.open_session(${opened}, ${person}, 'password', '{}')`)

  const left = await bank.owner.query<{ id: string; minutes: number; aal: string }>(sql`
    select s.id, s.aal, (extract(epoch from now() - s.created_at) / 60)::integer as minutes
    from auth.sessions s where s.user_id = ${person} order by s.created_at`)
  const ordinary = left.filter(({ aal }) => aal === 'aal1')
  expect(ordinary).toHaveLength(sessionsPerPersonMax)
  expect(ordinary.at(-1)?.id).toBe(opened)
  expect(ordinary[0]?.minutes).toBe(sessionsPerPersonMax - 1)
  expect(left.filter(({ aal }) => aal === 'aal2').map(({ id }) => id)).toEqual([shown])
})

test('a user is notified of their twentieth session only once a day', async () => {
  const { id, sessionId } = await bank.addCustomer()
  const open = () =>
    bank.asService(sql`select auth.open_session(${crypto.randomUUID()}, ${id}, 'password', '{}')`)
  const told = () =>
    bank.owner.query(sql`
      select notice ->> 'topic' as topic from auth.outgoing_mails where notice ->> 'to' = ${`${id}@banco.example`}`)
  for (let count = 2; count < 20; count += 1) await open()
  const before = await told()

  await open()
  await bank.owner.query(sql`delete from auth.sessions where id = ${sessionId}`)
  await open()

  expect([before, await told()]).toEqual([[], [{ topic: 'many_sessions' }]])
})

test('a user is notified at the first sign-in after twenty sessions have verified a factor', async () => {
  const { id } = await bank.addCustomer()
  const told = () =>
    bank.owner.query(sql`
      select notice ->> 'topic' as topic from auth.outgoing_mails where notice ->> 'to' = ${`${id}@banco.example`}`)
  const open = () =>
    bank.asService(sql`select auth.open_session(${crypto.randomUUID()}, ${id}, 'password', '{}')`)
  for (let count = 1; count < 20; count += 1) {
    await bank.owner.query(sql`update auth.sessions set aal = 'aal2' where user_id = ${id}`)
    await open()
  }
  await bank.owner.query(sql`update auth.sessions set aal = 'aal2' where user_id = ${id}`)
  const before = await told()

  await open()

  expect([before, await told()]).toEqual([[], [{ topic: 'many_sessions' }]])
})

test('a refresh token that was replaced long ago counts as stolen, even after a recent refresh', async () => {
  const person = await bank.addCustomer()
  const present = async (counter: number) => {
    const [[answer]] = await bank.asService(sql<{ outcome: string; counter: number }>`
      select r.outcome, r.counter from auth.refresh_session(${person.sessionId}, ${counter}, 10) as r`)
    return answer
  }
  await present(0)
  await present(1)
  await bank.owner.query(sql`
    update auth.sessions s
    set recent_refreshes = array(select r - interval '11 seconds' from unnest(s.recent_refreshes) as r)
    where s.id = ${person.sessionId}`)
  await present(2)

  // Token 2 has just been replaced. Token 1 was replaced eleven seconds ago.
  expect(await present(2)).toMatchObject({ outcome: 'reused', counter: 3 })
  expect(await present(1)).toMatchObject({ outcome: 'already_used' })
})

describe.each(['totp', 'webauthn'] as const)('with a second factor of type %s', (type) => {
  test('a session cannot confirm a factor with the password alone if another factor was confirmed meanwhile', async () => {
    const person = await bank.addCustomer()
    await addFactor(person, type === 'totp' ? 'webauthn' : 'totp', 'verified')
    const begun = await addFactor(person, type, 'unverified')

    await expect(confirm(person, type, begun)).rejects.toMatchObject({
      sqlState: '42501',
      hint: 'insufficient_aal',
    })
  })

  test('confirming a factor raises the session to aal2, even if the session has already added another factor', async () => {
    const person = await bank.addCustomer()

    for (let count = 0; count < 2; count += 1)
      expect(await confirm(person, type, await addFactor(person, type, 'unverified'))).toEqual({
        outcome: 'added',
        aal: 'aal2',
      })
  })

  test('a factor can be confirmed only within ten minutes by the session that added it, and only with recent re-authentication', async () => {
    const person = await bank.addCustomer()
    const thief = await openSession(person)
    const factor = await addFactor(person, type, 'unverified')
    const begun = (secondsAgo: number) =>
      bank.asService(sql`
        update auth.mfa_factors set created_at = now() - make_interval(secs => ${secondsAgo}) where id = ${factor}`)

    expect(await confirm(thief, type, factor)).toEqual({ outcome: 'refused', aal: 'aal1' })
    await begun(600)
    expect(await confirm(person, type, factor)).toEqual({ outcome: 'refused', aal: 'aal1' })
    await begun(590)
    await expect(confirm(person, type, factor, { provenSecondsAgo: 601 })).rejects.toMatchObject({
      sqlState: '42501',
      hint: 'reauthentication_needed',
    })
    expect(await confirm(person, type, factor)).toEqual({ outcome: 'added', aal: 'aal2' })
  })

  test('a confirmed factor keeps its first undo link and has no open challenge', async () => {
    const person = await bank.addCustomer()
    const factor = await addFactor(person, type, 'unverified')
    await bank.asService(sql`
      insert into auth.mfa_challenges (factor_id, session_id, expires_at)
      values (${factor}, ${person.sessionId}, now() + interval '5 minutes')`)

    await confirm(person, type, factor, { undo: 'first' })
    const [left] = await bank.owner.query(sql<{ count: number }>`
      select count(*)::integer as count from auth.mfa_challenges where factor_id = ${factor}`)
    await confirm(person, type, factor, { undo: 'second' })

    expect(left).toEqual({ count: 0 })
    expect(await bank.owner.query(sql`select undo_hash from auth.mfa_factors where id = ${factor}`)).toEqual([
      { undo_hash: `first ${factor}` },
    ])
  })
})

test('a passkey can be registered only once and for only one account', async () => {
  const [person, other] = [await bank.addCustomer(), await bank.addCustomer()]
  const factor = await addFactor(person, 'webauthn', 'unverified')
  await confirm(person, 'webauthn', factor)
  const begun = await addFactor(other, 'webauthn', 'unverified')

  expect(await confirm(person, 'webauthn', factor)).toEqual({ outcome: 'refused', aal: 'aal2' })
  await expect(confirm(other, 'webauthn', begun, { passkey: factor })).rejects.toMatchObject({
    sqlState: '23505',
  })
})

test.each([
  { kept: 7, shown: 8, outcome: 'shown' },
  { kept: 7, shown: 7, outcome: 'refused' },
  { kept: 7, shown: 0, outcome: 'refused' },
  { kept: 0, shown: 0, outcome: 'shown' },
])(
  'a passkey’s response has the outcome $outcome if the stored counter is $kept and the response’s counter is $shown',
  async ({ kept, shown, outcome }) => {
    const person = await bank.addCustomer()
    const factor = await addFactor(person, 'webauthn', 'verified', kept)

    const [[answer], [session]] = await bank.asService(
      sql`select auth.accept_passkey(${person.id}, ${person.sessionId}, ${factor}, ${shown}) as outcome`,
      sql`select aal from auth.sessions where id = ${person.sessionId}`,
    )

    expect({ ...answer, ...session }).toEqual({ outcome, aal: outcome === 'shown' ? 'aal2' : 'aal1' })
  },
)

type FactorType = 'totp' | 'webauthn'

async function addFactor(
  person: Person,
  type: FactorType,
  status: 'unverified' | 'verified',
  signCount = 0,
): Promise<string> {
  const id = crypto.randomUUID()
  const credential = JSON.stringify({ id, authenticator: { signCount } })
  await bank.owner.query(sql`
    insert into auth.mfa_factors
      (id, user_id, friendly_name, factor_type, status, secret, web_authn_credential, begun_in)
    values (
      ${id}, ${person.id}, ${id}, ${type}, ${status}, ${type === 'totp' ? 'secret' : null},
      ${type === 'webauthn' && status === 'verified' ? credential : null}, ${person.sessionId})`)
  return id
}

/**
 * Confirms the factor in the user's session with a correct response. Returns the outcome and the session's
 * assurance level.
 */
async function confirm(
  person: Person,
  type: FactorType,
  factor: string,
  { passkey = factor, undo = 'undo', provenSecondsAgo = 0 } = {},
) {
  const challenge = crypto.randomUUID()
  const credential = JSON.stringify({ id: passkey, authenticator: { signCount: 0 } })
  const link = `${undo} ${factor}`
  const [, , [accepted], [session]] = await bank.asService(
    sql`
      update auth.sessions
      set amr = jsonb_build_array(jsonb_build_object(
        'method', 'password', 'timestamp', floor(extract(epoch from now()))::bigint - ${provenSecondsAgo}::bigint))
      where id = ${person.sessionId}`,
    sql`
      insert into auth.mfa_challenges (id, factor_id, session_id, expires_at)
      values (${challenge}, ${factor}, ${person.sessionId}, now() + interval '5 minutes')`,
    type === 'totp'
      ? sql`
          select auth.accept_totp(
            ${person.id}, ${person.sessionId}, ${factor}, ${challenge}, 1, ${link}) as outcome`
      : sql`
          select auth.accept_new_passkey(
            ${person.id}, ${person.sessionId}, ${factor}, ${credential}, null, ${link}) as outcome`,
    sql`select aal from auth.sessions where id = ${person.sessionId}`,
  )
  return { ...accepted, ...session }
}
