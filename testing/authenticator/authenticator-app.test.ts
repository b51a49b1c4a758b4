/** Seen red with a code that is shown until its very last moment. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AuthenticatorApp } from './authenticator-app.ts'

const halfMinuteMs = 30_000
const app = () => new AuthenticatorApp('A'.repeat(32))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('early in a half minute the code before is shown first: three are there at once', async () => {
  vi.setSystemTime(1000 * halfMinuteMs + 5000)
  const phone = app()

  const shown = [await phone.nextCode(), await phone.nextCode(), await phone.nextCode()]

  expect(shown).toEqual([-1, 0, 1].map((steps) => phone.codeAhead(steps)))
})

test('late in it that one is not shown any more, for a server takes it a few seconds longer only', async () => {
  vi.setSystemTime(1000 * halfMinuteMs + 29_900)
  const phone = app()

  expect(await phone.nextCode()).toBe(phone.codeAhead(0))
})

test('a code that no server takes yet is waited for', async () => {
  vi.setSystemTime(1000 * halfMinuteMs + 29_900)
  const phone = app()
  for (let count = 0; count < 2; count += 1) await phone.nextCode()

  const askedAt = performance.now()
  const third = await phone.nextCode()

  expect(third).toBe(phone.codeAhead(2))
  // A tenth of a second is left of the half minute.
  expect(performance.now() - askedAt).toBeGreaterThan(100)
})
