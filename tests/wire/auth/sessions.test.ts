// Sessions: signing in with a password, refreshing and signing out. tests/database/session-life.test.ts tests older
// refresh tokens.
import type { Session } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { newEmail } from '#testing/population.ts'
import {
  administrator,
  claimsOf,
  newClient,
  signIn,
  signUpCustomer,
  signUpUnconfirmed,
} from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

test('a sign-in returns an access token that expires in an hour and contains the user and the method', async () => {
  const person = await signUpCustomer()
  const before = Math.floor(Date.now() / 1000)

  const { session } = await signIn({ ...person, email: ` ${person.email.toUpperCase()} ` })

  const user_metadata = {
    full_name: 'Ana Pérez',
    sub: person.id,
    email: person.email,
    email_verified: true,
    phone_verified: false,
  }
  expect(session).toMatchObject({
    token_type: 'bearer',
    expires_in: 3600,
    user: { id: person.id, user_metadata },
  })
  expect(session.expires_at).toBeGreaterThanOrEqual(before + 3600)
  expect(session.user).toHaveProperty('last_sign_in_at')
  const [header, claims] = session.access_token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>)
  const expiresAt = Number(claims?.['exp'])
  expect(header).toEqual({ alg: 'HS256', typ: 'JWT' })
  expect(claims).toEqual({
    iss: expect.stringMatching(/^http:\/\/.+\/auth\/v1$/),
    sub: person.id,
    aud: 'authenticated',
    exp: expect.any(Number),
    iat: expiresAt - 3600,
    email: person.email,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata,
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    is_anonymous: false,
  })
  // Older clients compute `expires_at` from the time at which the answer arrives.
  expect(Math.abs((session.expires_at ?? 0) - expiresAt)).toBeLessThanOrEqual(5)
})

test('the first administrator gets an access token that expires in fifteen minutes', async () => {
  const { session } = await administrator()

  expect(session).toMatchObject({ expires_in: 900, user: { app_metadata: { role: 'admin' } } })
})

test('a wrong password and an unknown address get the same answer, byte for byte', async () => {
  const { email } = await signUpCustomer()
  const signInAs = (body: object) => rawAuth('POST', '/token?grant_type=password', { body })

  const answers = [
    await signInAs({ email, password: 'otra clave larga' }),
    await signInAs({ email: newEmail(), password: 'otra clave larga' }),
    await signInAs({ email: 'esto no es una dirección', password: 'otra clave larga' }),
    await signInAs({ email }),
  ]

  for (const { status, text, headers } of answers) {
    expect(status).toBe(400)
    expect(text).toBe('{"code":"invalid_credentials","message":"Invalid login credentials"}')
    expect([...headers.keys()]).toEqual([...(answers[0]?.headers.keys() ?? [])])
  }
})

test('a sign-in reveals an unconfirmed address only with the right password', async () => {
  const { client, email, password } = await signUpUnconfirmed()

  const right = await client.auth.signInWithPassword({ email, password })
  const wrong = await client.auth.signInWithPassword({ email, password: 'otra clave larga' })

  const notConfirmed = { status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' }
  expect(right.error).toMatchObject(notConfirmed)
  expect(wrong.error).toMatchObject({ status: 400, code: 'invalid_credentials' })
})

async function refresh(token: string): Promise<Session> {
  const { data, error } = await newClient().auth.refreshSession({ refresh_token: token })
  if (data.session === null) throw error ?? new Error('No session came.')
  return data.session
}

test('a refresh returns a new pair of tokens for the same session', async () => {
  const { session } = await signUpCustomer()

  const refreshed = await refresh(session.refresh_token)

  expect(refreshed.refresh_token).not.toBe(session.refresh_token)
  expect(claimsOf(refreshed.access_token).session_id).toBe(claimsOf(session.access_token).session_id)
  expect(refreshed.user.id).toBe(session.user.id)
})

test('twenty tabs that refresh simultaneously get the same refresh token', async () => {
  const { session } = await signUpCustomer()

  const sessions = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)))

  expect(new Set(sessions.map(({ refresh_token }) => refresh_token)).size).toBe(1)
})

async function isAlive({ session }: { session: { access_token: string } }): Promise<boolean> {
  const { data } = await newClient().auth.getUser(session.access_token)
  return data.user !== null
}

test.each([
  ['global', { mine: false, phone: false, tablet: false, stranger: true }],
  ['local', { mine: false, phone: true, tablet: true, stranger: true }],
  ['others', { mine: true, phone: false, tablet: false, stranger: true }],
] as const)('a sign-out with scope %s ends exactly the sessions of that scope', async (scope, expected) => {
  const person = await signUpCustomer()
  const [mine, phone, tablet] = [await signIn(person), await signIn(person), await signIn(person)]
  const stranger = await signUpCustomer()

  const { error } = await mine.client.auth.signOut({ scope })

  expect(error).toBe(null)
  expect({
    mine: await isAlive(mine),
    phone: await isAlive(phone),
    tablet: await isAlive(tablet),
    stranger: await isAlive(stranger),
  }).toEqual(expected)
})

test('the tokens of a signed-out session are refused', async () => {
  const person = await signUpCustomer()
  const { access_token: token, refresh_token } = person.session
  const ended = await rawAuth('POST', '/logout', { token })
  expect([ended.status, ended.text]).toEqual([204, ''])

  const { status, body } = await rawAuth('GET', '/user', { token })

  expect([status, body]).toMatchObject([403, { code: 'session_not_found' }])
  const again = await signIn(person)
  expect(claimsOf(again.session.access_token).session_id).not.toBe(claimsOf(token).session_id)
  expect((await newClient().auth.refreshSession({ refresh_token })).error).not.toBe(null)
})
