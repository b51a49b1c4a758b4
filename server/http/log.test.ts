import { Writable } from 'node:stream'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { addRequestLog, logDenial, warnOfUntrustedProxy } from './log.ts'

/** A server that logs warnings into the list. */
function serverThatLogs() {
  const lines: string[] = []
  const write = (line: unknown, _encoding: unknown, done: () => void) => {
    lines.push(String(line))
    done()
  }
  return { lines, app: fastify({ logger: { level: 'warn', stream: new Writable({ write }) } }) }
}

test.each([
  [401, 'request refused'],
  [403, 'request refused'],
  [429, 'too many requests'],
  [503, 'request failed'],
])('an answer of %i is a line: %s', async (status, msg) => {
  const { lines, app } = serverThatLogs()
  addRequestLog(app)
  app.get('/one', (_request, reply) => reply.code(status).send())

  await app.inject({ url: '/one?token=secret' })

  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ msg, method: 'GET', path: '/one', status }),
  ])
})

test('each actor has lines of its own for what was denied, and none beside them for the refused request', async () => {
  const { app, lines } = serverThatLogs()
  addRequestLog(app)
  app.get('/:actor', (request, reply) => {
    const { actor } = request.params as { actor: string }
    logDenial(request, { actor, action: 'delete_user', target: null, code: '42501' })
    return reply.code(403).send()
  })

  for (let index = 0; index < 30; index += 1) await app.inject({ url: '/one' })
  await app.inject({ url: '/other' })

  const denied = lines.map((line) => JSON.parse(line) as { msg: string; actor?: string })
  expect(denied.filter(({ msg }) => msg !== 'action denied')).toEqual([])
  expect(denied.filter(({ actor }) => actor === 'other')).toHaveLength(1)
  expect(denied.length).toBeLessThan(31)
})

test('a server that no proxy was named to says once that one seems to be in front', async () => {
  const { lines, app } = serverThatLogs()
  warnOfUntrustedProxy(app)
  app.get('/', () => ({}))

  await app.inject({ url: '/' })
  expect(lines).toEqual([])
  for (let index = 0; index < 2; index += 1)
    await app.inject({ url: '/', headers: { 'x-forwarded-for': '198.51.100.7' } })

  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('X-Forwarded-For arrives, and TRUST_PROXY is not set')
})
