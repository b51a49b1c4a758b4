/** The documents and the SQL say about each setting what the table of settings says. `npm run settings` writes them. */
import { afterEach, expect, test, vi } from 'vitest'
import { settingNames } from '#server/settings/settings.ts'
import { parts, textOf, withPart } from './write.ts'

afterEach(() => vi.unstubAllEnvs())

test.for(parts.map((part) => [part.path, part] as const))('%s has the settings of the table', ([, part]) => {
  expect(textOf(part) === withPart(textOf(part), part), 'run npm run settings').toBe(true)
})

test('the documents do not show the values that this machine has', () => {
  for (const name of settingNames) vi.stubEnv(name, 'geheim')

  for (const part of parts) expect(part.lines().join('\n')).not.toContain('geheim')
})

test('a file without the marks is not overwritten', () => {
  const [part] = parts

  expect(() => part && withPart('text', part)).toThrowError('no part between the marks')
})
