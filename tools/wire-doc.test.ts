import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

const named = [
  ...readFileSync('docs/wire.md', 'utf8').matchAll(/`((?:auth|rest|functions|realtime)\/[a-z0-9-]+)`/g),
].map(([, name]) => name ?? '')

test('docs/wire.md names tests that exist', () => {
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((name) => !existsSync(`tests/wire/${name}.test.ts`))).toEqual([])
})

test('every wire test stands in docs/wire.md', () => {
  const tests = ['auth', 'rest', 'functions', 'realtime'].flatMap((surface) =>
    readdirSync(`tests/wire/${surface}`)
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${surface}/${file.replace('.test.ts', '')}`),
  )
  expect(tests.filter((name) => !named.includes(name))).toEqual([])
})
