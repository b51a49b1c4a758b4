import { fastify } from 'fastify'
import { expect, test, vi } from 'vitest'
import { AfterAnswer } from './background-tasks.ts'

const { log } = fastify()

test('closing waits for what was begun, also for what that begins', async () => {
  const afterAnswer = new AfterAnswer()
  const done: string[] = []
  afterAnswer.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    done.push('first')
    afterAnswer.run(() => Promise.resolve(done.push('second')).then(() => undefined), log)
  }, log)

  expect(done).toEqual([])
  await afterAnswer.settled()

  expect(done).toEqual(['first', 'second'])
})

test('a job that fails is logged and stops nothing', async () => {
  const afterAnswer = new AfterAnswer()
  const failure = new Error('no mail server')
  const logged = vi.spyOn(log, 'error')
  afterAnswer.run(() => Promise.reject(failure), log)

  await afterAnswer.settled()

  expect(logged).toHaveBeenCalledWith(failure, expect.any(String))
})
