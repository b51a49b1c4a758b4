import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { chunks } from './chunks.ts'

const root = path.resolve(import.meta.dirname, '..')

test('each text about our own files matches a file', () => {
  const files = globSync('{web,contract}/**/*.{ts,tsx}', { cwd: root }).map((file) => `/${file}`)
  const texts = chunks
    .flatMap(({ of, except = [] }) => [...of, ...except])
    .filter((text) => /^\/(?:web|contract)\//.test(text))

  expect(texts.length).toBeGreaterThan(50)
  expect(texts.filter((text) => !files.some((file) => file.includes(text)))).toEqual([])
})
