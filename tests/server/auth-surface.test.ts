// Cases that cannot occur on the server that tests/wire uses: AUTH_AUTOCONFIRM, older refresh tokens, a full hash pool
// and a database outage.
import { afterAll, expect, test } from 'vitest'
import { sql } from '#server/database/database.ts'
import { requestOrigin, runAsRequest } from '#server/overload/admission.ts'
import { PoolFull } from '#server/overload/fair-pool.ts'
import { betweenRefusalsMs, immediateRefusals } from '#server/overload/refusal-pace.ts'
import { signInsAtOnceMax } from '#server/auth/sign-in-turns.ts'
import { TooManyRequests, unlimited } from '#server/throttle/throttle.ts'
import {
  type Answer,
  type Tokens,
  databaseOfFile,
  openSurfaces,
  quickPasswords,
  tokensIn,
} from '#testing/surfaces.ts'

const { database, owner } = await databaseOfFile()
const surfaces = await openSurfaces(database, { throttle: unlimited, autoconfirm: true })
afterAll(() => surfaces.close())

const nobody = { email: 'nadie@banco.example', password: 'una clave larga' }
const post = (path: string, body: object, to = surfaces) => to.ask(path, { body })

test('a sign-up with AUTH_AUTOCONFIRM either signs the customer in or reports that the address is taken', async () => {
  const person = { email: 'ana@banco.example', password: 'una clave larga', data: { full_name: 'Ana' } }

  const first = await post('/signup', person)
  const second = await post('/signup', person)

  expect(first.status).toBe(200)
  expect(first.json()).toMatchObject({
    token_type: 'bearer',
    user: {
      user_metadata: { full_name: 'Ana', email_verified: true },
      email_confirmed_at: expect.any(String),
      last_sign_in_at: expect.any(String),
      identities: [{ identity_data: { email_verified: true } }],
    },
  })
  expect(second.status).toBe(422)
  expect(second.json()).toEqual({ code: 'user_already_exists', message: 'User already registered' })
})

const requireRoom = () => {
  if (!requestOrigin().isKnownThere) throw new PoolFull()
}
/** Runs the work as part of a request that can be shed. */
const asRequest = (work: () => Promise<Answer>) =>
  new Promise<Answer>((resolve, reject) =>
    runAsRequest({ flow: 'network', isNotShed: false, isUrgent: false, isAborted: () => false }, () => {
      work().then(resolve, reject)
    }),
  )

test('a password change that the hash pool refuses gets a Retry-After and does not count against a rate limit', async () => {
  let counted = 0
  const count = () => Promise.reject(new TooManyRequests((counted += 1)))
  const full = await openSurfaces(database, {
    throttle: { ...unlimited, consume: count, consumeSignIn: count },
    passwords: { ...quickPasswords, requireRoom },
  })
  const [{ access_token: token }] = await session(0)
  const newPassword = { token, body: { password: 'y otra clave', nonce: '000000' } }
  const proof = { token, body: { current_password: 'una clave larga' } }

  const answers = [
    await asRequest(() => full.put('/user', newPassword)),
    await asRequest(() => full.put('/user', proof)),
  ]

  for (const answer of answers) {
    expect([answer.status, answer.retryAfter]).toEqual([503, 2])
    expect(answer.json()).toMatchObject({ code: 'service_unavailable' })
  }
  expect(counted).toBe(0)
  await full.close()
})

test('sign-ins that wait for their turn are neither counted nor compared, and a known network does not wait for them', async () => {
  let [counted, refunded] = [0, 0]
  const comparing = Promise.withResolvers<void>()
  const flooded = await openSurfaces(database, {
    throttle: {
      ...unlimited,
      isKnown: ({ network }) => Promise.resolve(network === '198.51.100.7'),
      consumeSignIn() {
        counted += 1
        const refund = () => Promise.resolve(void (refunded += 1))
        return Promise.resolve({ succeeded: () => Promise.resolve(), refund })
      },
    },
    passwords: {
      ...quickPasswords,
      async compare(...given) {
        await comparing.promise
        return quickPasswords.compare(...given)
      },
    },
  })
  const signIn = (from: string) => flooded.ask('/token?grant_type=password', { from, body: nobody })

  const flood = Array.from({ length: 100 }, (_, index) => signIn(`203.0.113.${index % 20}`))
  await expect.poll(() => counted).toBe(signInsAtOnceMax)
  const known = signIn('198.51.100.7')
  await expect.poll(() => counted).toBe(signInsAtOnceMax + 1)
  comparing.resolve()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)

  expect((await known).status).toBe(400)
  expect(new Set(statuses)).toEqual(new Set([400, 503]))
  expect([counted - 1, refunded]).toEqual([statuses.filter((status) => status === 400).length, 0])
  await flooded.close()
})

test('sign-ups that wait for their turn are neither counted nor hashed', async () => {
  let [counted, hashed] = [0, 0]
  const hashing = Promise.withResolvers<void>()
  const flooded = await openSurfaces(database, {
    throttle: {
      ...unlimited,
      consume([use]) {
        if (use?.limit === 'sign-up from a network') counted += 1
        return Promise.resolve()
      },
    },
    passwords: {
      ...quickPasswords,
      async hash(...given) {
        hashed += 1
        await hashing.promise
        return quickPasswords.hash(...given)
      },
    },
  })
  const signUp = (index: number) =>
    flooded.ask('/signup', {
      from: `203.0.113.${index % 20}`,
      body: { email: `flood${index}@banco.example`, password: 'una clave larga' },
    })

  const flood = Array.from({ length: 100 }, (_, index) => signUp(index))
  await expect.poll(() => hashed).toBe(signInsAtOnceMax)
  expect(counted).toBe(signInsAtOnceMax)
  hashing.resolve()
  const statuses = (await Promise.all(flood)).map(({ status }) => status)

  expect(new Set(statuses)).toEqual(new Set([200, 503]))
  expect(counted).toBe(statuses.filter((status) => status === 200).length)
  await flooded.close()
})

test('clients that are refused simultaneously get their answers at different times', async () => {
  const consumeSignIn = () => Promise.reject(new TooManyRequests(60))
  const refusing = await openSurfaces(database, { throttle: { ...unlimited, consumeSignIn } })
  const begun = performance.now()

  const answers = await Promise.all(
    Array.from({ length: immediateRefusals + 5 }, () => post('/token?grant_type=password', nobody, refusing)),
  )

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
  // Five refusals are delayed. Four intervals are a safe lower bound, because a slow machine only takes longer, and
  // timers may fire a millisecond early.
  expect(performance.now() - begun).toBeGreaterThan(4 * betweenRefusalsMs)
  await refusing.close()
})

// The next tests use older refresh tokens. These tests simulate time by moving the session’s timestamps back.

const refresh = (token: string) =>
  surfaces.ask('/token?grant_type=refresh_token', { body: { refresh_token: token } })
const refreshed = async (token: string) => tokensIn(await refresh(token))

/** Starts a session and refreshes it `refreshes` times. Returns all token pairs, oldest first. */
async function session(refreshes: number): Promise<[Tokens, ...Tokens[]]> {
  const { email, password } = await surfaces.newCustomer()
  const signedIn = await surfaces.ask('/token?grant_type=password', { body: { email, password } })
  const pairs: [Tokens, ...Tokens[]] = [tokensIn(signedIn)]
  for (let index = 0; index < refreshes; index += 1)
    pairs.push(await refreshed(pairs.at(-1)?.refresh_token ?? ''))
  return pairs
}

function letPass(seconds: number): Promise<unknown> {
  return owner.query(sql`
    update auth.sessions
    set refreshed_at = refreshed_at - make_interval(secs => ${seconds}),
        recent_refreshes = array(select r - make_interval(secs => ${seconds}) from unnest(recent_refreshes) as r)`)
}

test('the second newest refresh token still returns the active token at any time', async () => {
  const [first, active] = await session(1)
  await letPass(3600)

  expect((await refreshed(first.refresh_token)).refresh_token).toBe(active?.refresh_token)
})

test('an older refresh token that is used within ten seconds returns the active token', async () => {
  const [first, , active] = await session(2)
  await letPass(9)

  expect((await refreshed(first.refresh_token)).refresh_token).toBe(active?.refresh_token)
})

test('an older refresh token that is used after ten seconds ends the session', async () => {
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

test('sessions do not end during a database outage', async () => {
  const signedUp = await post('/signup', { email: 'luis@banco.example', password: 'una clave larga' })
  const { access_token: token } = tokensIn(signedUp)
  await database.close()

  const { status, retryAfter } = await surfaces.ask('/user', { token })

  expect(status).toBe(503)
  expect(retryAfter).toBe(2)
})
