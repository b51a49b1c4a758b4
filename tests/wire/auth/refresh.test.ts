// Refresh tokens: rotation, lost answers, and copies (wire-contract §1.6).
// Seen red: with a session that goes on after an old token turned up.
import { setTimeout as wait } from 'node:timers/promises'
import type { Session } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { refusal, sessionEnded } from '#tests/wire/client-version.ts'
import { expectLogged } from '#tests/wire/log.ts'
import { newClient, signUpCustomer } from '#tests/wire/people.ts'
import { newestVersion, rawAuth } from './raw-auth.ts'

/** The rule's own figure: until then an older token still gets the active one. */
const reuseSeconds = 10

async function refresh(token: string): Promise<Session> {
  const { data, error } = await newClient().auth.refreshSession({ refresh_token: token })
  if (data.session === null) throw error ?? new Error('No session came.')
  return data.session
}

test('a refresh answers a new pair of tokens of the same session', async () => {
  const { session } = await signUpCustomer()

  const refreshed = await refresh(session.refresh_token)

  expect(refreshed.refresh_token).not.toBe(session.refresh_token)
  expect(sessionId(refreshed)).toBe(sessionId(session))
  expect(refreshed.user.id).toBe(session.user.id)
})

test(
  'the token before the last one answers the active one again, any time later',
  { timeout: 60_000 },
  async () => {
    const { session } = await signUpCustomer()
    const refreshed = await refresh(session.refresh_token)
    // Within the ten seconds any older token does.
    await wait(reuseSeconds * 1000 + 250)

    const again = await refresh(session.refresh_token)

    expect(again.refresh_token).toBe(refreshed.refresh_token)
  },
)

test('twenty tabs that refresh at once all end with the same token', async () => {
  const { session } = await signUpCustomer()

  const sessions = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)))

  expect(new Set(sessions.map(({ refresh_token }) => refresh_token)).size).toBe(1)
})

test('an older token, after ten seconds, ends the session for everybody', { timeout: 60_000 }, async () => {
  const { session } = await signUpCustomer()
  const second = await refresh(session.refresh_token)
  const third = await refresh(second.refresh_token)
  await wait(reuseSeconds * 1000 + 250)

  const stolen = await newClient().auth.refreshSession({ refresh_token: session.refresh_token })

  expect(stolen.error).toMatchObject(refusal(400, 'refresh_token_already_used'))
  await expectLogged('refresh token used twice', { level: 40, sessionId: sessionId(session) })
  await expect(refresh(third.refresh_token)).rejects.toMatchObject(refusal(400, 'refresh_token_not_found'))
  const { error } = await newClient().auth.getUser(third.access_token)
  expect(error).toMatchObject(sessionEnded)
})

test('within ten seconds an older token still gets the active one', async () => {
  const { session } = await signUpCustomer()
  const second = await refresh(session.refresh_token)
  const third = await refresh(second.refresh_token)

  const again = await refresh(session.refresh_token)

  expect(again.refresh_token).toBe(third.refresh_token)
})

test.each([
  ['nothing', undefined],
  ['a token of another kind', 'v3jq0ahsd61a'],
  ['text that is no token', 'ñ'],
])('%s is not a refresh token', async (_, token) => {
  const { status, body } = await rawAuth('POST', '/token?grant_type=refresh_token', {
    body: { refresh_token: token },
    headers: newestVersion,
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
    error_code: expect.stringMatching(/refresh_token_not_found|validation_failed/),
  })
})

function sessionId({ access_token: token }: Session): unknown {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object
  return 'session_id' in claims ? claims.session_id : undefined
}
