// The project's key, and tokens that are no good, or no longer.
import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { expect, inject, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { resigned } from '#tests/wire/resigned-token.ts'
import { rawRest, serviceHeaders } from './raw-rest.ts'

test('without the project’s key, or with another one, the gateway refuses', async () => {
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
  ['a.b', 'PGRST301', 'Expected 3 parts in JWT; got 2'],
  ['a.b.c', 'PGRST301', 'JWT could not be decoded'],
])('the token %s is refused', async (token, code, message) => {
  const { status, headers, body } = await rawRest('GET', '/budgets', {
    headers: { authorization: `Bearer ${token}` },
  })

  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", error_description="${message}"`)
  expect(body).toEqual({ code, details: null, hint: null, message })
})

test('a changed token is refused', async () => {
  const customer = await signUpCustomer()
  const [header, , signature] = customer.session.access_token.split('.')
  const claims = Buffer.from(JSON.stringify({ sub: customer.id, role: 'service_role', exp: 9_999_999_999 }))

  const { status, body } = await rawRest('GET', '/budgets', {
    headers: { authorization: `Bearer ${header}.${claims.toString('base64url')}.${signature}` },
  })

  expect(status).toBe(401)
  expect(body).toMatchObject({ code: 'PGRST301', message: 'No suitable key or wrong key type' })
})

test.each([
  [clockSkewSeconds - 10, 200],
  [clockSkewSeconds + 10, 401],
])('a token that expired %i seconds ago answers %i', async (ageSeconds, status) => {
  const { session } = await signUpCustomer()
  const exp = Math.floor(Date.now() / 1000) - ageSeconds
  const expired = { ...session, access_token: await resigned(session.access_token, { exp }) }

  const answer = await rawRest('GET', '/budgets', { as: { session: expired } })

  expect(answer.status).toBe(status)
  if (status === 401) {
    expect(answer.body).toEqual({ code: 'PGRST303', details: null, hint: null, message: 'JWT expired' })
  }
})

test('the service key as a token counts only together with the service key', async () => {
  const { serviceRoleKey } = inject('server')

  const { status, body } = await rawRest('GET', '/budgets', {
    headers: { authorization: `Bearer ${serviceRoleKey}` },
  })

  expect(status).toBe(401)
  expect(body).toMatchObject({ code: 'PGRST303' })
})

test('the service key reads what it is granted and writes nothing', async () => {
  const customer = await signUpCustomer()
  const headers = serviceHeaders()

  const read = await rawRest('GET', `/budgets?user_id=eq.${customer.id}`, { headers })
  const write = await rawRest('PATCH', `/budgets?user_id=eq.${customer.id}`, {
    headers,
    body: { balance: 1 },
  })

  expect(read.body).toEqual([{ user_id: customer.id, balance: 0, monthly_limit: null }])
  expect(write.status).toBe(403)
})

test('after signing out the token is no longer good, at once', async () => {
  const customer = await signUpCustomer()
  expect((await rawRest('GET', '/budgets', { as: customer })).status).toBe(200)

  await customer.client.auth.signOut()
  const { status, body } = await rawRest('GET', '/budgets', { as: customer })

  expect(status).toBe(401)
  expect(body).toMatchObject({ code: 'PGRST303', message: 'The session of this JWT has ended' })
})
