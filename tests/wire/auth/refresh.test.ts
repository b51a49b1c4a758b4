// Refresh tokens. Older tokens: tests/server/refresh-reuse.test.ts.
import type { Session } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { claimsOf, newClient, signUpCustomer } from '#tests/wire/people.ts'
import { rawAuth } from './raw-auth.ts'

async function refresh(token: string): Promise<Session> {
  const { data, error } = await newClient().auth.refreshSession({ refresh_token: token })
  if (data.session === null) throw error ?? new Error('No session came.')
  return data.session
}

test('a refresh answers a new pair of tokens of the same session', async () => {
  const { session } = await signUpCustomer()

  const refreshed = await refresh(session.refresh_token)

  expect(refreshed.refresh_token).not.toBe(session.refresh_token)
  expect(claimsOf(refreshed.access_token).session_id).toBe(claimsOf(session.access_token).session_id)
  expect(refreshed.user.id).toBe(session.user.id)
})

test('twenty tabs that refresh at once all end with the same token', async () => {
  const { session } = await signUpCustomer()

  const sessions = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)))

  expect(new Set(sessions.map(({ refresh_token }) => refresh_token)).size).toBe(1)
})

test.each([
  ['nothing', undefined],
  ['a token of another kind', 'v3jq0ahsd61a'],
  ['text that is no token', 'ñ'],
])('%s is not a refresh token', async (_, token) => {
  const { status, body } = await rawAuth('POST', '/token?grant_type=refresh_token', {
    body: { refresh_token: token },
  })

  expect(status).toBe(400)
  expect(body).toEqual({ code: 'validation_failed', message: 'Refresh token is not valid' })
})

test('a token with one character changed is not found', async () => {
  const { session } = await signUpCustomer()
  const changed = session.refresh_token.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'))

  const { status, body } = await rawAuth('POST', '/token?grant_type=refresh_token', {
    body: { refresh_token: changed },
  })

  expect(status).toBe(400)
  expect(body).toMatchObject({
    code: expect.stringMatching(/refresh_token_not_found|validation_failed/),
  })
})
