import { type Socket, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { claimPort, listener } from './listen.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const slow: (() => void)[] = []
const host = '127.0.0.1'

async function open({ connectionsMax = 1000 } = {}) {
  const app = fastify({ forceCloseConnections: 'idle' })
  app.get('/', () => 'here')
  app.get('/slow', () => new Promise((resolve) => slow.push(() => resolve('slow'))))
  closers.push(() => app.close())
  await listener(app, connectionsMax)({ host, port: 0 })
  return { app, port: (app.server.address() as { port: number }).port }
}

const statusOf = (port: number) =>
  fetch(`http://${host}:${port}`, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 'closed',
  )

test('closing waits for requests that are being answered', async () => {
  const { app, port } = await open()
  const asked = Array.from({ length: 40 }, () =>
    fetch(`http://${host}:${port}/slow`, { headers: { connection: 'close' } }),
  )
  await expect.poll(() => slow.length).toBe(asked.length)

  const closed = app.close().then(() => 'closed')
  expect(await Promise.race([closed, pause(700).then(() => 'waiting')])).toBe('waiting')
  for (const answer of slow.splice(0)) answer()

  expect(await Promise.all(asked.map(async (each) => (await each).text()))).toEqual(asked.map(() => 'slow'))
  expect(await closed).toBe('closed')
})

test('closing does not wait for connections that have sent nothing', async () => {
  const { app, port } = await open()
  let accepted = 0
  app.server.on('connection', () => (accepted += 1))
  const silent: Socket[] = Array.from({ length: 40 }, () => connect(port, host).on('error', () => undefined))
  for (const each of silent) each.resume()
  closers.push(() => silent.map((each) => each.destroy()))
  await expect.poll(() => accepted).toBe(silent.length)

  await app.close()

  await expect.poll(() => silent.every(({ destroyed }) => destroyed)).toBe(true)
})

test('one connection more than there may be is closed at once, and served once another one has ended', async () => {
  const { app, port } = await open({ connectionsMax: 3 })
  let accepted = 0
  app.server.on('connection', () => (accepted += 1))
  const others = Array.from({ length: 3 }, () => connect(port, host))
  closers.push(() => others.map((other) => other.destroy()))
  await expect.poll(() => accepted).toBe(others.length)

  expect(await statusOf(port)).toBe('closed')
  others[0]?.destroy()
  await expect.poll(() => statusOf(port)).toBe(200)
})

test('connections that wait for their next request make room for others', async () => {
  const { port } = await open({ connectionsMax: 3 })
  const served = Array.from({ length: 3 }, () => connect(port, host))
  closers.push(() => served.map((each) => each.destroy()))
  await Promise.all(
    served.map(async (each) => {
      each.write('GET / HTTP/1.1\r\nHost: banco.example\r\n\r\n')
      await new Promise((resolve) => each.once('data', resolve))
    }),
  )

  await expect.poll(() => statusOf(port)).toBe(200)
})

test('a claimed port is taken, answers that the server starts, and is free when it is released', async () => {
  const { port, release } = await claimPort({ host, port: 0 })
  closers.push(release)

  const answer = await fetch(`http://${host}:${port}/ready`)
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    503,
    '1',
    { status: 'starting' },
  ])
  await expect(claimPort({ host, port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })

  await release()
  const next = createServer().listen(port, host)
  closers.push(() => next.close())
  await expect(
    new Promise((resolve, reject) => next.on('listening', resolve).on('error', reject)),
  ).resolves.toBe(undefined)
})

test('a port on which a server listens cannot be claimed, though its sockets share it', async () => {
  const { port } = await open()
  await expect(claimPort({ host, port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
})
