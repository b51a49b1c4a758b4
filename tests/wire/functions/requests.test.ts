import { expect, inject, test } from 'vitest'
import { administrator } from '#tests/wire/people.ts'

const { url, anonKey } = inject('server')
const { access_token: token } = (await administrator()).session

const post = (name: string, init: RequestInit = {}) =>
  fetch(`${url}/functions/v1/${name}`, {
    method: 'POST',
    headers: { apikey: anonKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...init,
  })

test('a call without a body is refused with 400', async () => {
  expect((await post('manage-users')).status).toBe(400)
})

test('a body over 64 KiB is refused with 413', async () => {
  const answer = await post('manage-users', { body: JSON.stringify({ more: 'x'.repeat(64 * 1024) }) })

  expect(answer.status).toBe(413)
  expect(await answer.json()).toEqual({ error: 'El cuerpo es demasiado grande.' })
})

test('a request for an unknown function or with an unknown method gets 404', async () => {
  expect((await post('manage-everything', { body: '{}' })).status).toBe(404)
  expect((await fetch(`${url}/functions/v1/manage-users`)).status).toBe(404)
})

test('a request without the API key or with a forged token is refused with 401', async () => {
  expect((await post('manage-users', { body: '{}', headers: {} })).status).toBe(401)
  // Changes the first character of the signature, because some bits of the last character are ignored.
  const forgery = token.replace(/\.(.)([^.]*)$/, (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`)
  const forged = { apikey: anonKey, authorization: `Bearer ${forgery}` }
  expect((await post('manage-users', { body: '{}', headers: forged })).status).toBe(401)
})
