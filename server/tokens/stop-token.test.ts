import { expect, test } from 'vitest'
import { deriveKeys } from './keys.ts'
import { seedOf, stopToken } from './stop-token.ts'

const keys = deriveKeys('a data key of a test')
const [seed, other] = ['5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a10', '5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a11']

test('the bank recognizes only the tokens that it made', () => {
  const token = stopToken(keys, seed)
  const mac = token.slice(seed.length + 1)

  expect(seedOf(keys, token)).toBe(seed)
  expect(mac).toMatch(/^[0-9a-f]{64}$/)
  for (const forged of [
    '',
    seed,
    `${seed}.`,
    `${other}.${mac}`,
    `${seed}.${mac.slice(1)}`,
    `${seed}.${keys.links.mac([seed])}`,
    stopToken(deriveKeys('the data key of another bank'), seed),
  ])
    expect(seedOf(keys, forged)).toBeNull()
})
