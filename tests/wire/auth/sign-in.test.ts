// Signing in with a password.
import { expect, inject, test } from 'vitest'
import { refusal } from '#tests/wire/client-version.ts'
import {
  administrator,
  newClient,
  newEmail,
  signIn,
  signUpCustomer,
  signUpUnconfirmed,
} from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

test('a customer signs in and gets a session of an hour', async () => {
  const person = await signUpCustomer('Ana Pérez')
  const before = Math.floor(Date.now() / 1000)

  const { session } = await signIn(person)

  expect(session).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { id: person.id } })
  expect(session.expires_at).toBeGreaterThanOrEqual(before + 3600)
  expect(session.user).toMatchObject({ user_metadata: { full_name: 'Ana Pérez', email_verified: true } })
  expect(session.user).toHaveProperty('last_sign_in_at')
})

test('the access token says who the customer is, in which session, and signed in how', async () => {
  const person = await signUpCustomer('Ana Pérez')
  const { session } = await signIn(person)

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
    user_metadata: { full_name: 'Ana Pérez', email_verified: true },
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
    session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    is_anonymous: false,
  })
  // The older client counts from when the answer came.
  expect(Math.abs((session.expires_at ?? 0) - expiresAt)).toBeLessThanOrEqual(5)
})

test('the administrator of the first start can sign in', async () => {
  const { session } = await administrator()

  expect(session.user.app_metadata).toMatchObject({ role: 'admin' })
})

test('the address is the same in capital letters and with blanks around it', async () => {
  const { email, password } = await signUpCustomer()

  const { error } = await newClient().auth.signInWithPassword({ email: ` ${email.toUpperCase()} `, password })

  expect(error).toBe(null)
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

test('a customer who has not confirmed is told so, but only with the right password', async () => {
  const { client, email, password } = await signUpUnconfirmed()

  const right = await client.auth.signInWithPassword({ email, password })
  const wrong = await client.auth.signInWithPassword({ email, password: 'otra clave larga' })

  expect(right.error).toMatchObject({
    ...refusal(400, 'email_not_confirmed'),
    message: 'Email not confirmed',
  })
  expect(wrong.error).toMatchObject(refusal(400, 'invalid_credentials'))
})

test('signing in without an address says what is missing', async () => {
  const { body } = await rawAuth('POST', '/token?grant_type=password', {
    body: { password: 'una clave larga' },
  })

  expect(body).toEqual({ code: 'validation_failed', message: 'missing email or phone' })
})

test.each(['client_credentials', ''])('the grant "%s" is refused', async (grant) => {
  const { status, body } = await rawAuth('POST', `/token?grant_type=${grant}`, {
    body: {},
  })

  expect(status).toBe(400)
  expect(body).toEqual({ code: 'invalid_credentials', message: 'unsupported_grant_type' })
})

test('without the project’s key nobody gets as far as signing in', async () => {
  const { url } = inject('server')

  const none = await fetch(`${url}/auth/v1/token?grant_type=password`, { method: 'POST' })
  const wrong = await fetch(`${url}/auth/v1/settings`, { headers: { apikey: 'not.a.key' } })

  expect(none.status).toBe(401)
  expect(await none.json()).toEqual({
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  })
  expect(wrong.status).toBe(401)
  expect(await wrong.json()).toMatchObject({ message: 'Invalid API key' })
})
