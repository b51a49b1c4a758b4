// The format of refusals, and requests that are refused with GoTrue's error codes.
import { expect, inject, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

const email = 'ana@banco.example'
const password = 'una clave larga'
const phone = '+573001234567'
const verifier = 'a'.repeat(43)

const wrongPassword = { body: { email: 'nadie@banco.example', password } }

test('a client of the newest API version gets a code, a message and a version header', async () => {
  const { status, headers, body } = await rawAuth('POST', '/token?grant_type=password', wrongPassword)

  expect(status).toBe(400)
  expect(body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
  expect(headers.get('x-supabase-api-version')).toBe('2024-01-01')
  expect(headers.get('x-sb-error-code')).toBe('invalid_credentials')
})

test.each(['', '2023-12-31', 'newest'])(
  'an older client (“%s”) gets status, error_code and msg',
  async (version) => {
    const headers = { 'x-supabase-api-version': version }

    const answer = await rawAuth('POST', '/token?grant_type=password', { ...wrongPassword, headers })

    const [error_code, msg] = ['invalid_credentials', 'Invalid login credentials']
    expect(answer.body).toEqual({ code: 400, error_code, msg })
    expect(answer.headers.get('x-supabase-api-version')).toBe(null)
    expect(answer.headers.get('x-sb-error-code')).toBe(error_code)
  },
)

test.each(['{"email":', '{"password":"secreto-largo"', '[]', '"text"', 'null', '', 'email=a@b.co'])(
  'the body %j is refused as bad JSON, and the refusal does not repeat the body',
  async (body) => {
    const answer = await rawAuth('POST', '/signup', { body })

    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ code: 'bad_json', message: 'Could not parse request body as JSON' })
  },
)

test('a body over 8 KiB is refused', async () => {
  const answer = await rawAuth('POST', '/signup', { body: { email, password: 'x'.repeat(8 * 1024) } })

  expect([answer.status, answer.body]).toMatchObject([413, { code: 'request_entity_too_large' }])
})

test.each<[what: string, path: string, body: object]>([
  ['no password', '/signup', { email }],
  ['a password of 129 characters', '/signup', { email, password: 'a'.repeat(129) }],
  ['an address without a domain', '/signup', { email: 'ana', password }],
  ['an address with a line break and a mail header', '/signup', { email: 'a@b.co\r\nBcc: c@d.co', password }],
  ['an address that is not a string', '/signup', { email: 5, password }],
  ['data that is not an object', '/signup', { email, password, data: [1] }],
  ['data that cannot be stored', '/signup', { email, password, data: { a: '\u0000' } }],
  ['data over 4 KiB', '/signup', { email, password, data: { a: 'x'.repeat(4096) } }],
  ['no address', '/token?grant_type=password', { password }],
  ['no refresh token', '/token?grant_type=refresh_token', {}],
  ['a refresh token of another format', '/token?grant_type=refresh_token', { refresh_token: 'v3jq0ahsd61a' }],
  ['no code', '/token?grant_type=pkce', { code_verifier: verifier }],
  ['no verifier', '/token?grant_type=pkce', { auth_code: 'a' }],
  ['no address', '/recover', {}],
  ['a challenge that is too short', '/recover', { email, code_challenge: 'corto' }],
  ['a challenge that is too long', '/recover', { email, code_challenge: 'a'.repeat(129) }],
  ['a challenge of other characters', '/recover', { email, code_challenge: 'ñ'.repeat(43) }],
  [
    'an unknown challenge method',
    '/recover',
    { email, code_challenge: verifier, code_challenge_method: 'md5' },
  ],
  ['no address', '/otp', {}],
  ['an invalid address', '/otp', { email: 'ana' }],
  ['an invalid flag', '/otp', { email, create_user: 'no' }],
  ['a code for a phone', '/resend', { type: 'sms', phone }],
  ['a code from a phone', '/verify', { type: 'sms', phone, token: '123456' }],
])('%s in %s is refused with validation_failed', async (_, path, body) => {
  const answer = await rawAuth('POST', path, { body })

  expect([answer.status, answer.body]).toEqual([
    400,
    { code: 'validation_failed', message: expect.any(String) },
  ])
})

test.each<[what: string, request: string, body: object, status: number, code: string]>([
  ['another grant type', 'POST /token?grant_type=client_credentials', {}, 400, 'invalid_credentials'],
  ['an empty grant type', 'POST /token?grant_type=', {}, 400, 'invalid_credentials'],
  [
    'an unknown PKCE code',
    'POST /token?grant_type=pkce',
    { auth_code: 'a', code_verifier: verifier },
    404,
    'flow_state_not_found',
  ],
  ['OAuth providers', 'GET /authorize?provider=google', {}, 422, 'provider_disabled'],
  ['the callback of OAuth providers', 'GET /callback?code=x', {}, 422, 'provider_disabled'],
  [
    'tokens of other providers',
    'POST /token?grant_type=id_token',
    { id_token: 'x' },
    422,
    'provider_disabled',
  ],
  ['wallets', 'POST /token?grant_type=web3', { chain: 'solana' }, 422, 'web3_provider_disabled'],
  ['SSO', 'POST /sso', { domain: 'banco.example' }, 422, 'saml_provider_disabled'],
  ['SAML', 'POST /sso/saml/acs', {}, 422, 'saml_provider_disabled'],
  ['linking identities', 'GET /user/identities/authorize', {}, 422, 'manual_linking_disabled'],
  ['anonymous users', 'POST /signup', {}, 422, 'anonymous_provider_disabled'],
  ['sign-up by phone', 'POST /signup', { phone, password }, 422, 'phone_provider_disabled'],
  ['sign-in by phone', 'POST /token?grant_type=password', { phone }, 422, 'phone_provider_disabled'],
  ['codes by phone', 'POST /otp', { phone }, 422, 'phone_provider_disabled'],
  ['passkeys', 'POST /passkeys/authentication/options', {}, 404, 'not_supported'],
  ['an OAuth server', 'GET /oauth/authorizations/x', {}, 404, 'not_supported'],
  ['managing SSO', 'GET /admin/sso/providers', {}, 404, 'not_supported'],
  ['an unknown path', 'GET /nothing/here', {}, 404, 'not_found'],
  ['an unknown method', 'DELETE /user', {}, 404, 'not_found'],
  ['no token', 'GET /user', {}, 401, 'no_authorization'],
])('the request for %s is refused: %s', async (_, request, body, status, code) => {
  const [method = '', path = ''] = request.split(' ')

  const answer = await rawAuth(method, path, method === 'GET' ? {} : { body })

  expect([answer.status, answer.body]).toEqual([status, { code, message: expect.any(String) }])
})

test('refused requests of a signed-in customer get answers in the same format', async () => {
  const { session, client, id } = await signUpCustomer()
  const answerWith = (webauthn: object) =>
    ['POST', `/factors/${id}/verify`, { challenge_id: id, webauthn }, 400, 'validation_failed'] as const
  const rows: [method: string, path: string, body: object, status: number, code: string][] = [
    ['PUT', '/user', { phone }, 422, 'phone_provider_disabled'],
    ['PUT', '/user', { app_metadata: { role: 'admin' } }, 403, 'not_admin'],
    ['POST', '/logout?scope=everything', {}, 400, 'validation_failed'],
    ['POST', '/factors', { factor_type: 'phone', phone }, 422, 'mfa_phone_enroll_not_enabled'],
    ['POST', '/factors', { factor_type: 'sms' }, 400, 'validation_failed'],
    ['POST', '/factors', { factor_type: 'totp', friendly_name: 'x'.repeat(101) }, 400, 'validation_failed'],
    ['POST', '/factors', { factor_type: 'totp', friendly_name: 'Mi\nllave' }, 400, 'validation_failed'],
    [
      'POST',
      '/factors',
      { factor_type: 'webauthn', friendly_name: 'Mi \u202Eevall' },
      400,
      'validation_failed',
    ],
    ['POST', '/factors', { factor_type: 'totp', friendly_name: '\u3164' }, 400, 'validation_failed'],
    [...answerWith({ type: 'other', credential_response: { response: {} } })],
    [...answerWith({ type: 'request' })],
    [...answerWith({ type: 'request', credential_response: { response: 7 } })],
  ]

  for (const [method, path, body, status, code] of rows) {
    const answer = await rawAuth(method, path, { token: session.access_token, body })

    expect([path, body, answer.status, answer.body]).toMatchObject([path, body, status, { code }])
  }
  expect((await client.auth.getUser()).error).toBe(null)
})

test('a request that lacks the project’s key or sends the key as its token is refused', async () => {
  const { url, anonKey } = inject('server')

  const none = await fetch(`${url}/auth/v1/token?grant_type=password`, { method: 'POST' })
  const wrong = await rawAuth('GET', '/settings', { headers: { apikey: 'not.a.key' } })
  const asToken = await rawAuth('GET', '/user', { token: anonKey })

  expect([none.status, await none.json()]).toEqual([
    401,
    { message: 'No API key found in request', hint: 'No `apikey` request header or url param was found.' },
  ])
  expect([wrong.status, wrong.body]).toMatchObject([401, { message: 'Invalid API key' }])
  expect([asToken.status, asToken.body]).toEqual([
    403,
    { code: 'bad_jwt', message: 'invalid claim: missing sub claim' },
  ])
})

test('the endpoints for settings, health and the key set are public', async () => {
  const { url } = inject('server')

  const settings = await rawAuth('GET', '/settings')
  const health = await fetch(`${url}/auth/v1/health`)
  const keys = await fetch(`${url}/auth/v1/.well-known/jwks.json`)

  expect(settings.body).toMatchObject({
    external: { email: true, phone: false, anonymous_users: false },
    disable_signup: false,
    mailer_autoconfirm: false,
  })
  expect(await health.json()).toMatchObject({ name: 'GoTrue' })
  expect(await keys.json()).toEqual({ keys: [] })
})
