// What a running server of the usual configuration does not show: AUTH_AUTOCONFIRM, and trouble of ours.
import { join } from 'node:path'
import { type FastifyInstance, fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseUnavailable } from '#server/database/database.ts'
import { type TestDatabase, openTestDatabase } from '#testing/database.ts'
import { createPasswords } from '#server/identity/password/passwords.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { TokenKey } from '#server/tokens/access-token.ts'
import { deriveApiKeys } from '#server/tokens/api-keys.ts'
import { deriveKeys } from '#server/tokens/keys.ts'
import { RefreshTokenKey } from '#server/tokens/refresh-token.ts'
import { unlimited } from '#server/throttle/throttle.ts'
import { authSurface } from '#server/auth/surface.ts'

const secret = 'a secret of more than thirty-two characters'

let bank: TestDatabase
let app: FastifyInstance
let services: Parameters<typeof authSurface>[0]
let apikey = ''

beforeAll(async () => {
  bank = await openTestDatabase()
  const tokenKey = await TokenKey.of(secret, { siteUrl: 'https://banco.example' })
  const apiKeys = { ...(await deriveApiKeys(tokenKey)), accepted: null }
  apikey = apiKeys.anonKey
  services = {
    database: bank.database,
    tokenKey,
    refreshTokenKey: RefreshTokenKey.of(secret),
    keys: deriveKeys(secret),
    apiKeys,
    passwords: createPasswords({ lengthMin: 8, brandName: 'Banco' }),
    mailer: createMailer({
      smtp: null,
      outboxDirectory: join(bank.directory ?? '', 'outbox'),
      brandName: 'Banco',
      onKept: () => undefined,
    }),
    throttle: unlimited,
    config: {
      siteUrl: 'https://banco.example',
      isDefaultSite: false,
      port: 3000,
      brandName: 'Banco',
      supportContact: '',
      autoconfirm: true,
    },
  }
  app = fastify()
  void app.register(authSurface(services))
}, 60_000)

afterAll(async () => {
  await app.close()
  await bank.close()
})

function post(url: string, payload: object, to = app) {
  return to.inject({
    method: 'POST',
    url,
    payload,
    headers: { apikey, 'x-supabase-api-version': '2024-01-01' },
  })
}

test('with AUTH_AUTOCONFIRM signing up signs in, and says aloud that an address is taken', async () => {
  const person = { email: 'ana@banco.example', password: 'una clave larga', data: { full_name: 'Ana' } }

  const first = await post('/signup', person)
  const second = await post('/signup', person)

  expect(first.statusCode).toBe(200)
  expect(first.json()).toMatchObject({
    token_type: 'bearer',
    user: {
      user_metadata: { full_name: 'Ana', email_verified: true },
      email_confirmed_at: expect.any(String),
      last_sign_in_at: expect.any(String),
      identities: [{ identity_data: { email_verified: true } }],
    },
  })
  expect(second.statusCode).toBe(422)
  expect(second.json()).toEqual({ code: 'user_already_exists', message: 'User already registered' })
})

test('more passwords than can be checked are turned away, with the time to wait', async () => {
  const signIn = () =>
    post('/token?grant_type=password', { email: 'nadie@banco.example', password: 'una clave larga' })

  const answers = await Promise.all(Array.from({ length: 60 }, signIn))

  const busy = answers.filter(({ statusCode }) => statusCode === 503)
  expect(busy.length).toBeGreaterThan(0)
  expect(busy[0]?.headers['retry-after']).toBe('2')
  expect(busy[0]?.json()).toMatchObject({ code: 'service_unavailable' })
  expect(answers.every(({ statusCode }) => statusCode === 503 || statusCode === 400)).toBe(true)
})

test('a try to sign in that nobody looked at is not counted', async () => {
  let refunds = 0
  const counting = fastify()
  void counting.register(
    authSurface({
      ...services,
      database: {
        ...bank.database,
        transaction: () => Promise.reject(new DatabaseUnavailable('away')),
      },
      throttle: {
        ...unlimited,
        consumeSignIn: () =>
          Promise.resolve({
            succeeded: () => Promise.resolve(),
            refund: () => {
              refunds += 1
              return Promise.resolve()
            },
          }),
      },
    }),
  )

  const { statusCode } = await post(
    '/token?grant_type=password',
    { email: 'ana@banco.example', password: 'una clave larga' },
    counting,
  )

  expect(statusCode).toBe(503)
  expect(refunds).toBe(1)
  await counting.close()
})

test('while the database is away nobody is told that their session is over', async () => {
  const { access_token: token } = (
    await post('/signup', { email: 'luis@banco.example', password: 'una clave larga' })
  ).json<{ access_token: string }>()
  await bank.database.close()

  const { statusCode, headers } = await app.inject({
    url: '/user',
    headers: { apikey, authorization: `Bearer ${token}` },
  })

  expect(statusCode).toBe(503)
  expect(headers['retry-after']).toBe('2')
})
