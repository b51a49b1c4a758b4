import { expect, test } from 'vitest'
import { HashPool, TooManyHashes } from './hash-pool.ts'

test('two passwords are hashed at once, thirty-two wait, the next one is turned away', async () => {
  const queue = new HashPool({ runningMax: 2 })
  const gate = Promise.withResolvers<void>()
  let running = 0
  let runningMost = 0
  const job = async () => {
    running += 1
    runningMost = Math.max(runningMost, running)
    await gate.promise
    running -= 1
  }
  const accepted = Array.from({ length: 34 }, () => queue.run(job))

  await expect(queue.run(job)).rejects.toThrow(TooManyHashes)

  gate.resolve()
  await Promise.all(accepted)
  expect(runningMost).toBe(2)
})

test('a job that fails gives its place to the next one', async () => {
  const queue = new HashPool()
  const failing = Array.from({ length: 4 }, () => queue.run(() => Promise.reject(new Error('broken'))))

  await Promise.allSettled(failing)

  await expect(queue.run(() => Promise.resolve('done'))).resolves.toBe('done')
})

test('work for a thirty-third password is turned away before it begins', async () => {
  const queue = new HashPool()
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const work = () => {
    begun += 1
    return gate.promise
  }
  const admitted = Array.from({ length: 32 }, () => queue.admit(work))

  await expect(queue.admit(work)).rejects.toThrow(TooManyHashes)
  expect(begun).toBe(32)

  gate.resolve()
  await Promise.all(admitted)
  await expect(queue.admit(() => Promise.resolve('served'))).resolves.toBe('served')
})
