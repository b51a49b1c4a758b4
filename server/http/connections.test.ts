import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { boundPipelining, claimPort, listener, unansweredMax } from './connections.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const host = '127.0.0.1'
const request = 'GET / HTTP/1.1\r\nHost: banco.example\r\n\r\n'

/** Starts a server that answers `/slow` when `answerSlow` is called. */
async function open({ connectionsMax = 1000 } = {}) {
  const app = fastify({ forceCloseConnections: 'idle' })
  const slow: (() => void)[] = []
  let accepted = 0
  app.server.on('connection', () => (accepted += 1))
  app.get('/', () => 'here')
  app.get('/slow', () => new Promise((resolve) => slow.push(() => resolve('slow'))))
  closers.push(() => app.close())
  boundPipelining(app)
  await listener(app, connectionsMax)({ host, port: 0 })
  const { port } = app.server.address() as AddressInfo
  /** Opens connections that have sent nothing yet. */
  const connectMany = (count: number): Socket[] => {
    const sockets = Array.from({ length: count }, () => connect(port, host).on('error', () => undefined))
    closers.push(() => sockets.map((each) => each.destroy()))
    return sockets
  }
  return {
    app,
    port,
    slow,
    accepted: () => accepted,
    answerSlow: () => slow.splice(0).forEach((answer) => answer()),
    connectMany,
  }
}

const statusOf = (port: number) =>
  fetch(`http://${host}:${port}`, { headers: { connection: 'close' } }).then(
    ({ status }) => status,
    () => 'closed',
  )

test('closing waits for requests that are being answered', async () => {
  const { app, port, slow, answerSlow } = await open()
  const asked = Array.from({ length: 40 }, () =>
    fetch(`http://${host}:${port}/slow`, { headers: { connection: 'close' } }),
  )
  await expect.poll(() => slow.length).toBe(asked.length)

  const closed = app.close().then(() => 'closed')
  expect(await Promise.race([closed, pause(700).then(() => 'waiting')])).toBe('waiting')
  answerSlow()

  expect(await Promise.all(asked.map(async (each) => (await each).text()))).toEqual(asked.map(() => 'slow'))
  expect(await closed).toBe('closed')
})

test('closing does not wait for connections that have sent nothing', async () => {
  const { app, accepted, connectMany } = await open()
  const silent = connectMany(40)
  for (const each of silent) each.resume()
  await expect.poll(accepted).toBe(silent.length)

  await app.close()

  await expect.poll(() => silent.every(({ destroyed }) => destroyed)).toBe(true)
})

test('a server at its limit closes each new connection until another connection has ended', async () => {
  const { port, accepted, connectMany } = await open({ connectionsMax: 3 })
  const others = connectMany(3)
  await expect.poll(accepted).toBe(others.length)

  expect(await statusOf(port)).toBe('closed')
  others[0]?.destroy()
  await expect.poll(() => statusOf(port)).toBe(200)
})

test('a server at its limit closes idle connections, so that it can accept new connections', async () => {
  const { port, connectMany } = await open({ connectionsMax: 3 })
  for (const each of connectMany(3)) {
    each.write(request)
    await once(each, 'data')
  }

  await expect.poll(() => statusOf(port)).toBe(200)
})

test('a connection accepts the maximum number of pipelined requests again after the first requests are answered', async () => {
  const { connectMany } = await open()
  const [socket] = connectMany(1)
  let received = ''
  socket?.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))

  for (const times of [1, 2]) {
    socket?.write(request.repeat(unansweredMax))
    await expect.poll(() => received.split('here').length - 1).toBe(times * unansweredMax)
  }
})

test('a pipelined request above the maximum number is not processed and ends its connection', async () => {
  const { slow, connectMany } = await open()
  const [socket] = connectMany(1)

  socket?.write(request.replace('/', '/slow').repeat(1000))
  await new Promise((resolve) => socket?.resume().once('close', resolve))

  expect(slow).toHaveLength(unansweredMax)
})

test('a request to a claimed port is answered with the status “starting”', async () => {
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
  await once(next, 'listening')
})

test('a port on which a server listens cannot be claimed', async () => {
  const { port } = await open()
  await expect(claimPort({ host, port })).rejects.toMatchObject({ code: 'EADDRINUSE', port })
})
