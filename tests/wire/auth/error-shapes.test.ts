// How refusals look: two shapes, chosen by the client's API version.
import { expect, inject, test } from 'vitest'
import { rawAuth } from './raw-auth.ts'

const wrong = { body: { email: 'nadie@banco.example', password: 'una clave larga' } }

test('a client that reads codes gets code and message, and the version in a header', async () => {
  const { status, headers, body } = await rawAuth('POST', '/token?grant_type=password', {
    ...wrong,
  })

  expect(status).toBe(400)
  expect(body).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
  expect(headers.get('x-supabase-api-version')).toBe('2024-01-01')
  expect(headers.get('x-sb-error-code')).toBe('invalid_credentials')
})

test.each(['', '2023-12-31', 'newest'])(
  'an older client (“%s”) gets status, error_code and msg',
  async (version) => {
    const answer = await rawAuth('POST', '/token?grant_type=password', {
      ...wrong,
      headers: { 'x-supabase-api-version': version },
    })

    expect(answer.body).toEqual({
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'Invalid login credentials',
    })
    expect(answer.headers.get('x-supabase-api-version')).toBe(null)
    expect(answer.headers.get('x-sb-error-code')).toBe('invalid_credentials')
  },
)

test.each(['{"email":', '[]', '"text"', 'null', '', 'email=a@b.co'])(
  'the body %j is bad JSON',
  async (body) => {
    const answer = await rawAuth('POST', '/signup', { body })

    expect(answer.status).toBe(400)
    expect(answer.body).toEqual({ code: 'bad_json', message: 'Could not parse request body as JSON' })
  },
)

test('a body over 8 KiB is refused before it is read', async () => {
  const body = { email: 'ana@banco.example', password: 'x'.repeat(8 * 1024) }

  const answer = await rawAuth('POST', '/signup', { body })

  expect(answer.status).toBe(413)
  expect(answer.body).toMatchObject({ code: 'request_entity_too_large' })
})

test('a refusal does not repeat what was sent', async () => {
  const { text } = await rawAuth('POST', '/signup', { body: '{"password":"secreto-largo"' })

  expect(text).not.toContain('secreto')
})

test('settings, health and the key set answer what a client may ask', async () => {
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
