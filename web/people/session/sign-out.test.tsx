import { waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { expiredSession, serve, sessionKey } from '#testing/page.ts'
import { signOut } from './session.ts'
import { endUnendedSessions } from './unended.ts'

const noteKey = 'finanzas-unended-session'
let stop = () => {}
afterEach(() => stop())

const goOffline = () => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
/** Returns a session that the client uses without refreshing it. */
const lastingSession = () => ({ ...expiredSession(), expires_at: Math.ceil(Date.now() / 1000) + 3600 })
function keepSession() {
  const session = lastingSession()
  window.localStorage.setItem(sessionKey, JSON.stringify(session))
  return session
}

test('signing out offline clears the device immediately and ends the session once the device is online', async () => {
  const sent: string[] = []
  await serve((path, _, { query }) => {
    sent.push(`${path}${query}`)
    return path.endsWith('/token') ? Response.json({ ...lastingSession(), refresh_token: 'next' }) : undefined
  })
  const { refresh_token } = keepSession()
  const offline = goOffline()

  await signOut()

  expect(window.localStorage.getItem(sessionKey)).toBeNull()
  expect(JSON.parse(window.localStorage.getItem(noteKey) ?? '')).toMatchObject({
    refreshToken: refresh_token,
  })
  stop = endUnendedSessions()
  expect(sent).toEqual([])

  offline.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))

  await waitFor(() => expect(window.localStorage.getItem(noteKey)).toBeNull())
  expect(sent).toEqual(['/auth/v1/token?grant_type=refresh_token', '/auth/v1/logout?scope=local'])
  expect(window.localStorage.getItem(sessionKey)).toBeNull()
})

test('a sign-out that has been pending for a day is dropped', async () => {
  const sent: string[] = []
  await serve((path) => void sent.push(path))
  window.localStorage.setItem(
    noteKey,
    JSON.stringify({ refreshToken: 'old', at: Date.now() - 24 * 3_600_000 }),
  )

  stop = endUnendedSessions()

  expect(window.localStorage.getItem(noteKey)).toBeNull()
  expect(sent).toEqual([])
})

test('the device stays signed in if the server refuses to end the session', async () => {
  await serve((path) =>
    path.endsWith('/logout')
      ? Response.json({ code: 'unexpected_failure', msg: 'no' }, { status: 500 })
      : undefined,
  )
  keepSession()

  await expect(signOut()).rejects.toThrow('no')

  expect(window.localStorage.getItem(sessionKey)).not.toBeNull()
  expect(window.localStorage.getItem(noteKey)).toBeNull()
})
