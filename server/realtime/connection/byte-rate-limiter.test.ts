import { expect, test } from 'vitest'
import { ByteRateLimiter } from './byte-rate-limiter.ts'

const kibibyte = 1024
const bytesPerSecondMax = 16 * 1024 * kibibyte
const large = { text: 'x'.repeat(64 * kibibyte) }

test('the limit holds for a second, and begins anew in the next one', () => {
  let nowMs = 0
  const limiter = new ByteRateLimiter(bytesPerSecondMax, () => nowMs)
  const recipients = 50
  const consumed = () => {
    let count = 0
    while (limiter.tryConsume(large, recipients)) count += 1
    return count
  }
  const capacity = Math.floor(bytesPerSecondMax / (recipients * Buffer.byteLength(JSON.stringify(large))))

  expect(consumed()).toBe(capacity)
  nowMs = 999
  expect(consumed()).toBe(0)
  nowMs = 1000
  expect(consumed()).toBe(capacity)
})

test('short messages count as two kibibytes each', () => {
  const limiter = new ByteRateLimiter(bytesPerSecondMax, () => 0)

  let count = 0
  while (limiter.tryConsume({}, 1)) count += 1

  expect(count).toBe(bytesPerSecondMax / (2 * kibibyte))
})

test('the first message of a second passes for any number of recipients', () => {
  const limiter = new ByteRateLimiter(bytesPerSecondMax, () => 0)

  expect(limiter.tryConsume(large, 1000)).toBe(true)
  expect(limiter.tryConsume({}, 1)).toBe(false)
})
