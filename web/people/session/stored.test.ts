// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { signOut } from './session.ts'
import { askedLink, needsNoRenewal, noteAskedLink, storedSession } from './stored.ts'

vi.mock('#api/configuration.ts', () => ({ backendUrl: () => 'http://localhost:3000' }))
vi.mock('#api/client.ts', () => ({ callAuth: () => Promise.resolve({ error: null }) }))

afterEach(() => {
  vi.useRealTimers()
  window.localStorage.clear()
})

test('the email address for a requested link is remembered', () => {
  noteAskedLink('Laura@ejemplo.co')

  expect(askedLink()).toBe('laura@ejemplo.co')
})

test('the email address for a requested link is deleted after a day', () => {
  noteAskedLink('laura@ejemplo.co')
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000 })

  expect(askedLink()).toBe(null)
  expect(window.localStorage).toHaveLength(0)
})

test('signing out deletes the email address for a requested link', async () => {
  noteAskedLink('laura@ejemplo.co')

  await signOut()

  expect(window.localStorage).toHaveLength(0)
})

test('an email address stored by another version of the page is deleted', () => {
  window.localStorage.setItem('finanzas-link-asked', 'laura@ejemplo.co')

  expect(askedLink()).toBe(null)
  expect(window.localStorage).toHaveLength(0)
})

test.each(['', 'null', '{', '{}', '{"access_token":"a.b.c"}', '{"access_token":"a.b.c","user":null}'])(
  'an incomplete session does not count as stored: %s',
  (text) => {
    window.localStorage.setItem('sb-localhost-auth-token', text)

    expect(storedSession()).toBe(null)
  },
)

test.each([
  [3600, true],
  [120, true],
  // The client refreshes a token that expires within 90 seconds.
  [90, false],
  [-1, false],
  [undefined, false],
])('a token that expires in %s seconds is used without a refresh: %s', (seconds, isUsed) => {
  const ends = seconds === undefined ? {} : { expires_at: Math.floor(Date.now() / 1000) + seconds }
  window.localStorage.setItem(
    'sb-localhost-auth-token',
    JSON.stringify({ access_token: 'a.b.c', user: { id: '1' }, ...ends }),
  )
  const session = storedSession()

  expect(session !== null && needsNoRenewal(session)).toBe(isUsed)
})
