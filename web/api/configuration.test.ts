import { afterEach, expect, test, vi } from 'vitest'
import { hasFeature, loadConfiguration } from './configuration.ts'

afterEach(() => void vi.unstubAllGlobals())

test('the code of a page is fetched before the configuration arrives', () => {
  expect(hasFeature('transferencias')).toBe(true)
})

test.each([
  [{ features: ['transferencias'] }, true],
  [{ features: [] }, false],
  // The answer of a server of an earlier release, during an upgrade.
  [{}, false],
])('the configuration %j enables transfers: %s', async (answer, isEnabled) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)))
  await loadConfiguration()

  expect(hasFeature('transferencias')).toBe(isEnabled)
})
