// The operator's endpoints are for the service key, from a program, never from a browser (security.md AZ-07).
import { expect, inject, test } from 'vitest'
import { administrator, signUpCustomer } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

const someId = '7f0c0b52-5f0e-4a9b-9a57-6f1d4f8f7d01'
const endpoints = [
  ['GET', '/admin/users'],
  ['POST', '/admin/users'],
  ['GET', `/admin/users/${someId}`],
  ['PUT', `/admin/users/${someId}`],
  ['DELETE', `/admin/users/${someId}`],
  ['GET', `/admin/users/${someId}/factors`],
  ['DELETE', `/admin/users/${someId}/factors/${someId}`],
  ['POST', '/admin/generate_link'],
  ['POST', '/invite'],
] as const

const body = { email: 'nadie@banco.example', type: 'recovery', app_metadata: { role: 'admin' } }

async function callers() {
  const { anonKey, serviceRoleKey } = inject('server')
  const customer = await signUpCustomer()
  const admin = await administrator()
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  return [
    ['nobody', {}, 401, 'no_authorization'],
    ['the public key', bearer(anonKey), 403, 'not_admin'],
    ['a customer', bearer(customer.session.access_token), 403, 'not_admin'],
    ['an administrator of the bank', bearer(admin.session.access_token), 403, 'not_admin'],
    ['the service key beside the public one', bearer(serviceRoleKey), 403, 'bad_jwt'],
    ['a token that is none', bearer('x.y.z'), 403, 'bad_jwt'],
  ] as const
}

test.each(endpoints)('%s %s is refused to everybody without the service key', async (method, path) => {
  for (const [who, headers, status, code] of await callers()) {
    const answer = await rawAuth(method, path, {
      headers: { ...headers },
      ...(method === 'GET' ? {} : { body }),
    })

    expect([who, answer.status, answer.body]).toEqual([who, status, { code, message: expect.any(String) }])
  }
})

test.each(endpoints)('%s %s is refused to the service key in a browser', async (method, path) => {
  const { url, serviceRoleKey } = inject('server')

  const answer = await rawAuth(method, path, {
    headers: { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}`, origin: url },
    ...(method === 'GET' ? {} : { body }),
  })

  expect(answer.status).toBe(401)
  expect(answer.body).toMatchObject({ message: 'Invalid API key' })
})
