// Seen red with the version's digit left random.
import { expect, test } from 'vitest'
import { newIdempotencyKey } from './idempotency-key.ts'

test('every key is a random UUID (RFC 9562, version 4) of its own', () => {
  const keys = Array.from({ length: 1000 }, newIdempotencyKey)

  expect(new Set(keys).size).toBe(1000)
  for (const key of keys) {
    expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})
