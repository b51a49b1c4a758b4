/**
 * Seen red with one socket (65 turns), with a port that is shared with whoever offers to share it, with an end that waits
 * for nobody, with one that waits for who says nothing, and with a place for everybody.
 */
import { type Socket, connect, createServer } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { fastify } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { holdPort } from './listen.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const slow: (() => void)[] = []

async function open({ connectionsMax = 1000 } = {}) {
  const app = fastify({ forceCloseConnections: 'idle' })
  app.get('/', () => 'here')
  app.get('/slow', () => new Promise((resolve) => slow.push(() => resolve('slow'))))
  closers.push(() => app.close())
  const end = await (await holdPort({ host: '127.0.0.1', port: 0 })).listen(app, connectionsMax)
  closers.push(end)
  return { app, end, port: (app.server.address() as { port: number }).port }
}

// Elsewhere one socket listens.
test.skipIf(process.platform !== 'linux')(
  'people who come together are let in together, however busy the server is',
  async () => {
    const { app, port } = await open()
    let accepted = 0
    app.server.on('connection', () => (accepted += 1))
    const people: Socket[] = Array.from({ length: 64 }, () => connect(port, '127.0.0.1'))
    closers.push(() => people.map((person) => person.destroy()))
    // The system makes the connections by itself.
    const until = performance.now() + 100
    while (performance.now() < until);

    let turns = 0
    for (; accepted < people.length && turns < 200; turns += 1) await turn()

    expect(accepted).toBe(people.length)
    expect(turns).toBeLessThan(people.length / 2)
  },
)

test('closing waits for who is being answered, whichever socket let them in', async () => {
  const { app, end, port } = await open()
  const asked = Array.from({ length: 40 }, () =>
    fetch(`http://127.0.0.1:${port}/slow`, { headers: { connection: 'close' } }),
  )
  await expect.poll(() => slow.length).toBe(asked.length)

  const ended = end().then(() => 'ended')
  const closed = app.close()
  expect(await Promise.race([ended, pause(100).then(() => 'waiting')])).toBe('waiting')
  for (const answer of slow.splice(0)) answer()

  expect(await Promise.all(asked.map(async (each) => (await each).text()))).toEqual(asked.map(() => 'slow'))
  expect(await ended).toBe('ended')
  await closed
})

test('closing does not wait for who connected and says nothing, whichever socket let them in', async () => {
  const { app, end, port } = await open()
  let accepted = 0
  app.server.on('connection', () => (accepted += 1))
  const silent = Array.from({ length: 40 }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .resume(),
  )
  closers.push(() => silent.map((each) => each.destroy()))
  await expect.poll(() => accepted).toBe(silent.length)

  const ended = end()
  await app.close()
  await ended

  await expect
    .poll(() => silent.every(({ destroyed, readableEnded }) => destroyed || readableEnded))
    .toBe(true)
})

test('who comes when all places are taken is closed at once, and comes in once somebody has gone', async () => {
  const { app, port } = await open({ connectionsMax: 3 })
  let accepted = 0
  app.server.on('connection', () => (accepted += 1))
  const asks = async () =>
    fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } }).then(
      ({ status }) => status,
      () => 'closed',
    )
  const people = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
  closers.push(() => people.map((person) => person.destroy()))
  await expect.poll(() => accepted).toBe(people.length)

  expect(await asks()).toBe('closed')
  people[0]?.destroy()
  await expect.poll(asks).toBe(200)
})

test('when all places are taken, connections that wait for their next request make room', async () => {
  const { port } = await open({ connectionsMax: 3 })
  const served = Array.from({ length: 3 }, () => connect(port, '127.0.0.1'))
  closers.push(() => served.map((person) => person.destroy()))
  await Promise.all(
    served.map(async (person) => {
      person.write('GET / HTTP/1.1\r\nHost: banco.example\r\n\r\n')
      await new Promise((resolve) => person.once('data', resolve))
    }),
  )

  await expect
    .poll(() =>
      fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } }).then(
        ({ status }) => status,
        () => 'closed',
      ),
    )
    .toBe(200)
})

test('whichever socket lets somebody in, the same server answers', async () => {
  const { port } = await open()

  const answers = await Promise.all(
    Array.from({ length: 40 }, async () =>
      (await fetch(`http://127.0.0.1:${port}`, { headers: { connection: 'close' } })).text(),
    ),
  )

  expect(new Set(answers)).toEqual(new Set(['here']))
})

test('nobody else has the port, not even who offers to share it with us', async () => {
  const { port } = await open()

  await expect(holdPort({ host: '127.0.0.1', port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    port,
  })
})

test('a port that is held is taken, answers that the server starts, and is free again when it is given up', async () => {
  const held = await holdPort({ host: '127.0.0.1', port: 0 })
  closers.push(() => held.release())
  const { port } = held

  const answer = await fetch(`http://127.0.0.1:${port}/ready`)
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
    503,
    '1',
    { status: 'starting' },
  ])
  await expect(holdPort({ host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' })

  await held.release()
  const next = await holdPort({ host: '127.0.0.1', port })
  await next.release()
})

test('a port can be taken again as soon as the server is closed', async () => {
  const { app, end, port } = await open()
  const ended = end()
  await app.close()
  await ended

  const other = createServer().listen(port, '127.0.0.1')
  closers.push(() => other.close())

  await expect(
    new Promise((resolve, reject) => other.on('listening', resolve).on('error', reject)),
  ).resolves.toBe(undefined)
})
