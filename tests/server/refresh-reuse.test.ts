// Older refresh tokens. Time passes by moving the session's own times.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { unlimited } from '#server/throttle/throttle.ts'
import { type TestDatabase, openTestDatabase } from '#testing/database.ts'
import { type Surfaces, type Tokens, openSurfaces, tokensIn } from './surfaces.ts'

let bank: TestDatabase
let surfaces: Surfaces

beforeAll(async () => {
  bank = await openTestDatabase()
  surfaces = await openSurfaces(bank.database, { throttle: unlimited })
}, 60_000)
afterAll(async () => {
  await surfaces.close()
  await bank.close()
})

const refresh = (token: string) =>
  surfaces.ask('/token?grant_type=refresh_token', { body: { refresh_token: token } })
const refreshed = async (token: string) => tokensIn(await refresh(token))

/** The pairs of tokens of a new session, after as many refreshes. */
async function session(refreshes: number): Promise<[Tokens, ...Tokens[]]> {
  const { email, password } = await surfaces.newCustomer()
  const signedIn = await surfaces.ask('/token?grant_type=password', { body: { email, password } })
  const pairs: [Tokens, ...Tokens[]] = [tokensIn(signedIn)]
  for (let index = 0; index < refreshes; index += 1)
    pairs.push(await refreshed(pairs.at(-1)?.refresh_token ?? ''))
  return pairs
}

function letPass(seconds: number): Promise<unknown> {
  return bank.owner.query(sql`
    update auth.sessions
    set refreshed_at = refreshed_at - make_interval(secs => ${seconds}),
        recent_refreshes = array(select r - make_interval(secs => ${seconds}) from unnest(recent_refreshes) as r)`)
}

test('the token before the last one answers the active one again, any time later', async () => {
  const [first, active] = await session(1)
  await letPass(3600)

  expect((await refreshed(first.refresh_token)).refresh_token).toBe(active?.refresh_token)
})

test('within ten seconds an older token still gets the active one', async () => {
  const [first, , active] = await session(2)
  await letPass(9)

  expect((await refreshed(first.refresh_token)).refresh_token).toBe(active?.refresh_token)
})

test('an older token, after ten seconds, ends the session', async () => {
  const [first, , active] = await session(2)
  await letPass(11)

  const stolen = await refresh(first.refresh_token)

  expect([stolen.status, stolen.json()['code']]).toEqual([400, 'refresh_token_already_used'])
  const used = surfaces.log
    .map((line) => JSON.parse(line) as { msg: string })
    .filter(({ msg }) => msg === 'refresh token used twice')
  expect(used).toEqual([
    expect.objectContaining({ sessionId: expect.any(String) as string, reason: 'already_used' }),
  ])
  const { status, json } = await refresh(active?.refresh_token ?? '')
  expect([status, json()['code']]).toEqual([400, 'refresh_token_not_found'])
  expect((await surfaces.ask('/user', { token: active?.access_token ?? '' })).status).toBe(403)
})
