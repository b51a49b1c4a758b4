import { realtimeToldBytesPerSecondMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { Tellings } from './tellings.ts'

const kibibyte = 1024

test('as much as may be is told in a second, and again in the next one', () => {
  let nowMs = 0
  const tellings = new Tellings(realtimeToldBytesPerSecondMax, () => nowMs)
  const message = { text: 'x'.repeat(64 * kibibyte) }
  const listeners = 50
  const toldInSecond = () => {
    let told = 0
    while (tellings.allow(message, listeners)) told += 1
    return told
  }
  const room = Math.floor(
    realtimeToldBytesPerSecondMax / (listeners * Buffer.byteLength(JSON.stringify(message))),
  )

  expect(toldInSecond()).toBe(room)
  nowMs = 999
  expect(toldInSecond()).toBe(0)
  nowMs = 1000
  expect(toldInSecond()).toBe(room)
})

test('short messages count as two kibibytes each', () => {
  const tellings = new Tellings(realtimeToldBytesPerSecondMax, () => 0)

  let told = 0
  while (tellings.allow({}, 1)) told += 1

  expect(told).toBe(realtimeToldBytesPerSecondMax / (2 * kibibyte))
})

test('the first message of a second is told to a crowd of any size', () => {
  const tellings = new Tellings(realtimeToldBytesPerSecondMax, () => 0)

  expect(tellings.allow({ text: 'x'.repeat(64 * kibibyte) }, 1000)).toBe(true)
  expect(tellings.allow({}, 1)).toBe(false)
})
