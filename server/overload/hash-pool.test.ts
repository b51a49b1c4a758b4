import { expect, test } from 'vitest'
import { HashPool, TooManyHashes } from './hash-pool.ts'

test('two passwords are hashed at once, thirty-two wait, the next one is refused', async () => {
  const pool = new HashPool({ runningMax: 2 })
  const gate = Promise.withResolvers<void>()
  let running = 0
  let runningMost = 0
  const job = async () => {
    running += 1
    runningMost = Math.max(runningMost, running)
    await gate.promise
    running -= 1
  }
  const accepted = Array.from({ length: 34 }, () => pool.run(job))

  await expect(pool.run(job)).rejects.toThrow(TooManyHashes)

  gate.resolve()
  await Promise.all(accepted)
  expect(runningMost).toBe(2)
})

test('a job that fails frees its slot', async () => {
  const pool = new HashPool()
  const failing = Array.from({ length: 4 }, () => pool.run(() => Promise.reject(new Error('broken'))))

  await Promise.allSettled(failing)

  await expect(pool.run(() => Promise.resolve('done'))).resolves.toBe('done')
})
