// What a running server of the usual configuration does not show: AUTH_AUTOCONFIRM, and our own outages.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseUnavailable } from '#server/database/database.ts'
import { unlimited } from '#server/throttle/throttle.ts'
import { type TestDatabase, openTestDatabase } from '#testing/database.ts'
import { type Surfaces, openSurfaces, tokensIn } from './surfaces.ts'

let bank: TestDatabase
let surfaces: Surfaces

beforeAll(async () => {
  bank = await openTestDatabase()
  surfaces = await openSurfaces(bank.database, { throttle: unlimited, autoconfirm: true })
}, 60_000)

afterAll(async () => {
  await surfaces.close()
  await bank.close()
})

const post = (path: string, body: object, to = surfaces) => to.ask(path, { body })

test('with AUTH_AUTOCONFIRM signing up signs in, and says aloud that an address is taken', async () => {
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

test('more passwords than can be checked are shed, with the time to wait', async () => {
  const signIn = () =>
    post('/token?grant_type=password', { email: 'nadie@banco.example', password: 'una clave larga' })

  const answers = await Promise.all(Array.from({ length: 60 }, signIn))

  const busy = answers.filter(({ status }) => status === 503)
  expect(busy.length).toBeGreaterThan(0)
  expect(busy[0]?.retryAfter).toBe(2)
  expect(busy[0]?.json()).toMatchObject({ code: 'service_unavailable' })
  expect(answers.every(({ status }) => status === 503 || status === 400)).toBe(true)
})

test('a sign-in attempt that was not looked at is refunded', async () => {
  let refunds = 0
  const refund = () => {
    refunds += 1
    return Promise.resolve()
  }
  const counting = await openSurfaces(
    { ...bank.database, transaction: () => Promise.reject(new DatabaseUnavailable('away')) },
    {
      throttle: {
        ...unlimited,
        consumeSignIn: () => Promise.resolve({ succeeded: () => Promise.resolve(), refund }),
      },
    },
  )

  const { status } = await post(
    '/token?grant_type=password',
    { email: 'ana@banco.example', password: 'una clave larga' },
    counting,
  )

  expect(status).toBe(503)
  expect(refunds).toBe(1)
  await counting.close()
})

test('while the database is away nobody is told that their session is over', async () => {
  const signedUp = await post('/signup', { email: 'luis@banco.example', password: 'una clave larga' })
  const { access_token: token } = tokensIn(signedUp)
  await bank.database.close()

  const { status, retryAfter } = await surfaces.ask('/user', { token })

  expect(status).toBe(503)
  expect(retryAfter).toBe(2)
})
