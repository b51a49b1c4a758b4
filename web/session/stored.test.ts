// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { signOut } from './session.ts'
import { askedLink, noteAskedLink } from './stored.ts'

vi.mock('#backend/client.ts', () => ({ callAuth: () => Promise.resolve({ error: null }) }))

afterEach(() => {
  vi.useRealTimers()
  window.localStorage.clear()
})

test('the address is known again in the day after', () => {
  noteAskedLink('Laura@ejemplo.co')

  expect(askedLink()).toBe('laura@ejemplo.co')
})

test('after a day nothing of it is left', () => {
  noteAskedLink('laura@ejemplo.co')
  vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000 })

  expect(askedLink()).toBe(null)
  expect(window.localStorage).toHaveLength(0)
})

test('signing out forgets it', async () => {
  noteAskedLink('laura@ejemplo.co')

  await signOut()

  expect(window.localStorage).toHaveLength(0)
})

test('what another version of the page noted is forgotten', () => {
  window.localStorage.setItem('finanzas-link-asked', 'laura@ejemplo.co')

  expect(askedLink()).toBe(null)
  expect(window.localStorage).toHaveLength(0)
})
