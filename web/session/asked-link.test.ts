// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { askedLink, isAskedFor, noteAskedLink } from './asked-link.ts'
import { signOut } from './sign-out.ts'

vi.mock('#backend/client.ts', () => ({
  backend: () => Promise.resolve({ auth: { signOut: () => Promise.resolve({ error: null }) } }),
}))

afterEach(() => {
  vi.useRealTimers()
  window.localStorage.clear()
})

test('the address is known again, and stands nowhere', async () => {
  await noteAskedLink('Laura@ejemplo.co')
  const asked = askedLink()
  if (asked === null) throw new Error('Nothing was noted.')

  expect(await isAskedFor(asked, 'laura@ejemplo.co')).toBe(true)
  expect(await isAskedFor(asked, 'luis@ejemplo.co')).toBe(false)
  expect(JSON.stringify({ ...window.localStorage }).toLowerCase()).not.toContain('laura')
})

test('after a day nothing of it is left', async () => {
  await noteAskedLink('laura@ejemplo.co')
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000 })

  expect(askedLink()).toBe(null)
  expect(window.localStorage).toHaveLength(0)
})

test('signing out forgets it', async () => {
  await noteAskedLink('laura@ejemplo.co')

  await signOut()

  expect(window.localStorage).toHaveLength(0)
})

test('what another version of the page noted is forgotten', () => {
  window.localStorage.setItem('finanzas-link-asked', 'laura@ejemplo.co')

  expect(askedLink()).toBe(null)
  expect(window.localStorage).toHaveLength(0)
})
