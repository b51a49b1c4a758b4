import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { AnonymousSockets, ByteRateLimiter } from './limits.ts'

test('when there are too many sockets without a user, the oldest is dropped', () => {
  const { sockets, dropped, add } = someSockets()

  for (let count = 0; count <= realtimeAnonymousSocketsMax; count += 1) add(count)

  expect(dropped).toEqual([0])
  sockets.add({ drop: () => undefined })
  expect(dropped).toEqual([0, 1])
})

test('a socket that has a user now is not dropped, and makes room', () => {
  const { sockets, dropped, add } = someSockets()
  const customer = add(0)

  sockets.delete(customer)
  for (let count = 1; count <= realtimeAnonymousSocketsMax; count += 1) add(count)

  expect(dropped).toEqual([])
})

function someSockets() {
  const sockets = new AnonymousSockets()
  const dropped: number[] = []
  const add = (name: number) => {
    const socket = { drop: () => dropped.push(name) }
    sockets.add(socket)
    return socket
  }
  return { sockets, dropped, add }
}

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
