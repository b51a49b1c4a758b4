// Requests without an API key or with an invalid token are refused, and the root URL does not describe the schema.
// server/tokens/access-token.test.ts tests which tokens are valid.
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { expect, inject, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { resigned } from '#tests/wire/resigned-token.ts'
import { rawRest, serviceHeaders } from './raw-rest.ts'

const tokenPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a request without the project’s key is refused', async () => {
  const { url } = inject('server')
  const without = await fetch(`${url}/rest/v1/budgets`)
  const wrong = await rawRest('GET', '/budgets', { headers: { apikey: 'another' } })

  expect(without.status).toBe(401)
  expect(await without.json()).toEqual({
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  })
  expect(wrong.status).toBe(401)
  expect(wrong.body).toMatchObject({ message: 'Invalid API key' })
})

test.each([
  ['abc', 'PGRST301', 'Expected 3 parts in JWT; got 1'],
  ['a.b.c', 'PGRST301', 'JWT cryptographic operation failed'],
  [
    `${tokenPart({ alg: 'none' })}.${tokenPart({ role: 'service_role' })}.`,
    'PGRST301',
    'Wrong or unsupported encoding algorithm',
    "JWT is unsecured but expected 'alg' was not 'none'",
  ],
  ['', 'PGRST301', 'Empty JWT is sent in Authorization header'],
  [
    `${inject('server').serviceRoleKey.split('.', 2).join('.')}.eA`,
    'PGRST301',
    'No suitable key or wrong key type',
    'None of the keys was able to decode the JWT',
  ],
])('the token %s is refused', async (token, code, message, details?: string) => {
  const { status, headers, body } = await rawRest('GET', '/budgets', {
    headers: { authorization: `Bearer ${token}` },
  })

  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", error_description="${message}"`)
  expect(body).toEqual({ code, details: details ?? null, hint: null, message })
})

test('a request with an expired token is refused', async () => {
  const { session } = await signUpCustomer()
  const exp = Math.floor(Date.now() / 1000) - clockSkewSeconds - 10
  const expired = { ...session, access_token: await resigned(session.access_token, { exp }) }

  const { status, body } = await rawRest('GET', '/budgets', { as: { session: expired } })

  expect(status).toBe(401)
  expect(body).toEqual({ code: 'PGRST303', details: null, hint: null, message: 'JWT expired' })
})

test('a description of the schema cannot be read with any key or session', async () => {
  for (const options of [{}, { as: await administrator() }, { headers: serviceHeaders() }])
    expect(await rawRest('GET', '/', options)).toMatchObject({ status: 404, body: { code: 'PGRST126' } })
})
