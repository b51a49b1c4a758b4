import { Writable } from 'node:stream'
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { addRequestLog, logDenial, loggerOptions, warnOfUntrustedProxy } from './log.ts'
import { terminalLog } from './terminal-log.ts'

/** Starts a server that appends its logged warnings to the list. */
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
])('an answer of %i is logged as: %s', async (status, msg) => {
  const { lines, app } = serverThatLogs()
  addRequestLog(app)
  app.get('/one', (_request, reply) => reply.code(status).send())

  await app.inject({ url: '/one?token=secret' })

  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ msg, method: 'GET', path: '/one', status }),
  ])
})

test('the answers to the proxy are logged only when the server becomes unready', async () => {
  const { lines, app } = serverThatLogs()
  addRequestLog(app)
  let status = 200
  app.get('/ready', (_request, reply) => reply.code(status).send())

  for (status of [200, 503, 503, 503, 200, 200, 503]) await app.inject({ url: '/ready' })

  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ msg: 'request failed', path: '/ready', status: 503 }),
    expect.objectContaining({ msg: 'request failed', path: '/ready', status: 503 }),
  ])
})

test('many denied actions of one actor do not suppress the log line about another actor', async () => {
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

test('a server behind a proxy warns once if TRUST_PROXY is not set', async () => {
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

const time = Date.UTC(2026, 10, 22, 15, 54, 53)
const userId = '35d90c1a-0000-4000-8000-000000000000'

function shown(entry: Record<string, unknown>): string {
  let text = ''
  terminalLog((part) => (text += part)).write(
    `${JSON.stringify({ time, pid: 1, hostname: 'vm', ...entry })}\n`,
  )
  return text
}

test('a terminal shows an event as one Spanish line with the fields that identify the event', () => {
  expect(
    shown({ level: 30, msg: 'signed in', userId, method: 'GET', path: '/x', status: 200, durationMs: 3 }),
  ).toMatch(/^\d\d:\d\d:53 {2}Ingreso\. {2}GET \/x 200 \(3 ms\) {2}35d90c1a-\S+\n$/)
  expect(shown({ level: 40, msg: 'mail deferred', mail: 7, code: 'ESOCKET' })).toMatch(
    /AVISO {2}Un correo espera: .* {2}7 {2}ESOCKET\n$/,
  )
  expect(
    shown({ level: 50, msg: 'ALARM: the ledger does not verify', meaning: 'la auditoría, fila 3', seq: 3 }),
  ).toMatch(/ERROR {2}El libro no es correcto\. {2}#3 {2}la auditoría, fila 3\n$/)
})

test('a terminal does not show an event that the announcement at startup already contains', () => {
  expect(shown({ level: 30, msg: 'listening' })).toBe('')
  expect(shown({ level: 30, msg: 'the server serves', version: '1.0.0' })).toBe('')
})

test('an internal error keeps its message and its stack', () => {
  const line = shown({
    level: 50,
    msg: 'table API failed',
    err: { message: 'x', stack: 'TypeError: x\n    at y' },
  })

  expect(line).toContain('ERROR  table API failed  TypeError: x\n    at y')
})

test('output to a file or pipe stays JSON', () => {
  expect(loggerOptions('info', { isTerminal: false })).not.toHaveProperty('stream')
  expect(loggerOptions('info', { isTerminal: true })).toHaveProperty('stream')
})
