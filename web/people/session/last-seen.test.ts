// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearPage, laura, serve, sessionKey } from '#testing/page.ts'
import { forgetLastSeen, keepLastSeen, lastSeen } from './last-seen.ts'
import { signOut } from './session.ts'

vi.mock('#api/client.ts', () => ({ callAuth: () => Promise.reject(new Error('away')) }))

const hourMs = 3_600_000
const balance = (readAt = Date.now()) => ({ name: ['summary', 'balance'], data: { balance: 12 }, readAt })
const history = (readAt = Date.now()) => ({ name: ['history'], data: ['Mercado'], readAt })
const kept = () => Object.keys(window.localStorage).filter((key) => key !== sessionKey)

beforeEach(async () => {
  await serve(() => undefined)
  window.localStorage.setItem(sessionKey, JSON.stringify({ user: laura }))
})

afterEach(clearPage)

test('stored results keep their age, and a new result replaces only its older version', () => {
  const readAt = Date.now() - hourMs
  keepLastSeen('u1', [balance(readAt), history(readAt)])
  keepLastSeen('u1', [{ ...balance(), data: { balance: 13 } }])

  expect(lastSeen('u1')).toEqual([
    history(readAt),
    { name: ['summary', 'balance'], data: { balance: 13 }, readAt: expect.any(Number) },
  ])
})

test('stored results are deleted after a day', () => {
  keepLastSeen('u1', [balance()])
  vi.useFakeTimers({ now: Date.now() + 24 * hourMs })

  expect(lastSeen('u1')).toEqual([])
  expect(kept()).toEqual([])
})

test('stored results of another customer are deleted instead of being returned', () => {
  keepLastSeen('u1', [balance()])

  expect(lastSeen('u2')).toEqual([])
  expect(kept()).toEqual([])
})

test('signing in deletes stored results of another customer, but not of the same customer', () => {
  keepLastSeen('u1', [balance()])
  forgetLastSeen('u1')
  expect(kept()).toHaveLength(1)

  forgetLastSeen('u2')

  expect(kept()).toEqual([])
})

test('a page stores no results after its session has ended', () => {
  keepLastSeen('u1', [balance()])
  window.localStorage.removeItem(sessionKey)
  keepLastSeen('u1', [balance()])

  expect(kept()).toEqual([])
})

test('signing out deletes stored results even if the bank is unreachable', async () => {
  keepLastSeen('u1', [balance()])

  await expect(signOut()).rejects.toThrow('away')

  expect(kept()).toEqual([])
})

test('an overlong result is not stored', () => {
  keepLastSeen('u1', [balance()])
  keepLastSeen('u1', [{ ...history(), data: 'a'.repeat(200_000) }])

  expect(kept()).toEqual([])
})

test('stored results from another version of the page are deleted without an error', () => {
  window.localStorage.setItem('finanzas-last-seen', '{')

  expect(lastSeen('u1')).toEqual([])
  expect(kept()).toEqual([])
})
