import { fastify } from 'fastify'
import { expect, test, vi } from 'vitest'
import { BackgroundTasks } from './services.ts'

const { log } = fastify()

test('a shutdown waits for running jobs and for the jobs that they start', async () => {
  const backgroundTasks = new BackgroundTasks()
  const done: string[] = []
  backgroundTasks.run(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20))
    done.push('first')
    backgroundTasks.run(() => Promise.resolve(done.push('second')).then(() => undefined), log)
  }, log)

  expect(done).toEqual([])
  await backgroundTasks.settled()

  expect(done).toEqual(['first', 'second'])
})

test('a failing job is logged and does not stop other jobs', async () => {
  const backgroundTasks = new BackgroundTasks()
  const failure = new Error('no mail server')
  const logged = vi.spyOn(log, 'error')
  backgroundTasks.run(() => Promise.reject(failure), log)

  await backgroundTasks.settled()

  expect(logged).toHaveBeenCalledWith(failure, expect.any(String))
})
