import { Writable } from 'node:stream'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { warnOfUntrustedProxy } from './log.ts'

test('a server that no proxy was named to says once that one seems to be in front', async () => {
  const lines: string[] = []
  const write = (line: unknown, _encoding: unknown, done: () => void) => {
    lines.push(String(line))
    done()
  }
  const app = fastify({ logger: { level: 'warn', stream: new Writable({ write }) } })
  warnOfUntrustedProxy(app)
  app.get('/', () => ({}))

  await app.inject({ url: '/' })
  expect(lines).toEqual([])
  for (let index = 0; index < 2; index += 1)
    await app.inject({ url: '/', headers: { 'x-forwarded-for': '198.51.100.7' } })

  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('X-Forwarded-For arrives, and TRUST_PROXY is not set')
})
