// What signed-in customers read and change about themselves.
import { expect, inject, test } from 'vitest'
import { refusal } from '#tests/wire/client-version.ts'
import { newEmail, signUpCustomer } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

test('data is merged, and null takes a key away', async () => {
  const { client } = await signUpCustomer('Ana Pérez')
  await client.auth.updateUser({ data: { city: 'Bogotá', theme: { dark: null } } })

  const { data } = await client.auth.updateUser({ data: { full_name: 'Ana María Pérez', city: null } })

  expect(data.user?.user_metadata).toEqual({
    full_name: 'Ana María Pérez',
    email_verified: true,
    theme: { dark: null },
  })
  // The next access token has it too.
  const refreshed = await client.auth.refreshSession()
  expect(refreshed.data.session?.user.user_metadata).toMatchObject({ full_name: 'Ana María Pérez' })
})

test('data does not grow beyond what a token can carry', async () => {
  const { client } = await signUpCustomer()
  await client.auth.updateUser({ data: { first: 'x'.repeat(3000) } })

  const { error } = await client.auth.updateUser({ data: { second: 'x'.repeat(3000) }, email: newEmail() })

  expect(error).toMatchObject(refusal(400, 'validation_failed'))
  const { data } = await client.auth.getUser()
  expect(data.user?.user_metadata).not.toHaveProperty('second')
  // All of it or nothing.
  expect(data.user?.new_email).toBeUndefined()
})

test('the new password must be another one, and long enough', async () => {
  const { client, password } = await signUpCustomer()

  const same = await client.auth.updateUser({ password, current_password: password })
  const short = await client.auth.updateUser({ password: 'corta', current_password: password })

  expect(same.error).toMatchObject(refusal(422, 'same_password'))
  expect(short.error).toMatchObject(refusal(422, 'weak_password'))
})

test('nobody makes themself an administrator by changing their user', async () => {
  const { client, session } = await signUpCustomer()

  const { status, body } = await rawAuth('PUT', '/user', {
    body: { app_metadata: { role: 'admin' } },
    token: session.access_token,
  })

  expect(status).toBe(403)
  expect(body).toEqual({ code: 'not_admin', message: 'User not allowed' })
  const { data } = await client.auth.updateUser({ data: { role: 'admin' } })
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  expect(data.user?.role).toBe('authenticated')
})

test('without a token nobody is signed in', async () => {
  const { status, body } = await rawAuth('GET', '/user', {})

  expect(status).toBe(401)
  expect(body).toEqual({
    code: 'no_authorization',
    message: 'This endpoint requires a valid Bearer token',
  })
})

test('the project’s API key is nobody’s token', async () => {
  const { status, body } = await rawAuth('GET', '/user', { token: inject('server').anonKey })

  expect(status).toBe(403)
  expect(body).toEqual({ code: 'bad_jwt', message: 'invalid claim: missing sub claim' })
})

test('once the session has ended its token is refused in a way that signs the client out', async () => {
  const { client, session } = await signUpCustomer()
  await client.auth.signOut()

  const { status, body } = await rawAuth('GET', '/user', {
    token: session.access_token,
  })

  expect(status).toBe(403)
  expect(body).toMatchObject({ code: 'session_not_found' })
})
