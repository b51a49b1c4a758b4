// What GoTrue has and this server does not: each is refused clearly, with upstream's code where it has one.
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

test.each([
  ['OAuth providers', 'GET', '/authorize?provider=google', {}, 422, 'provider_disabled'],
  ['their callback', 'GET', '/callback?code=x', {}, 422, 'provider_disabled'],
  [
    'tokens of other providers',
    'POST',
    '/token?grant_type=id_token',
    { id_token: 'x', provider: 'google' },
    422,
    'provider_disabled',
  ],
  ['wallets', 'POST', '/token?grant_type=web3', { chain: 'solana' }, 422, 'web3_provider_disabled'],
  ['SSO', 'POST', '/sso', { domain: 'banco.example' }, 422, 'saml_provider_disabled'],
  ['SAML', 'POST', '/sso/saml/acs', {}, 422, 'saml_provider_disabled'],
  ['linking identities', 'GET', '/user/identities/authorize', {}, 422, 'manual_linking_disabled'],
  ['anonymous users', 'POST', '/signup', {}, 422, 'anonymous_provider_disabled'],
  [
    'signing up by phone',
    'POST',
    '/signup',
    { phone: '+573001234567', password: 'una clave larga' },
    422,
    'phone_provider_disabled',
  ],
  [
    'signing in by phone',
    'POST',
    '/token?grant_type=password',
    { phone: '+573001234567', password: 'x' },
    422,
    'phone_provider_disabled',
  ],
  ['codes by phone', 'POST', '/otp', { phone: '+573001234567' }, 422, 'phone_provider_disabled'],
  [
    'codes by phone, again',
    'POST',
    '/resend',
    { type: 'sms', phone: '+573001234567' },
    400,
    'validation_failed',
  ],
  [
    'a code that came by phone',
    'POST',
    '/verify',
    { type: 'sms', phone: '+573001234567', token: '123456' },
    400,
    'validation_failed',
  ],
  ['passkeys', 'POST', '/passkeys/authentication/options', {}, 404, 'not_supported'],
  ['an OAuth server', 'GET', '/oauth/authorizations/x', {}, 404, 'not_supported'],
  ['managing SSO', 'GET', '/admin/sso/providers', {}, 404, 'not_supported'],
  ['managing the audit log', 'GET', '/admin/audit', {}, 404, 'not_supported'],
  ['what upstream does not have either', 'GET', '/nothing/here', {}, 404, 'not_found'],
  ['another method', 'DELETE', '/user', {}, 404, 'not_found'],
])('%s: %s %s', async (_, method, path, body, status, code) => {
  const answer = await rawAuth(method, path, method === 'GET' ? {} : { body })

  expect(answer.status).toBe(status)
  expect(answer.body).toEqual({ code, message: expect.any(String) })
})

test('a phone of one’s own', async () => {
  const { session } = await signUpCustomer()

  const answer = await rawAuth('PUT', '/user', {
    body: { phone: '+573001234567' },
    token: session.access_token,
  })

  expect([answer.status, answer.body]).toMatchObject([422, { code: 'phone_provider_disabled' }])
})
