// What only a real socket can break; the other limits are server/realtime/connection/socket.test.ts.
import { randomUUID } from 'node:crypto'
import {
  realtimeFrameBytesMax,
  realtimeMessagesPerSecondMax,
  realtimeSocketsPerUserMax,
} from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'

test('one customer has room for a limited number of sockets, and a closed one makes room', async () => {
  const ana = await signUpCustomer()
  const join = async () => {
    const socket = await openRawSocket()
    return { socket, reply: await socket.join('realtime:ana', transactionsJoin(ana.session.access_token)) }
  }
  const first = await join()
  for (let count = 1; count < realtimeSocketsPerUserMax; count += 1)
    expect((await join()).reply.status).toBe('ok')

  expect((await join()).reply).toEqual({
    status: 'error',
    response: { reason: 'ConnectionRateLimitReached: Too many connected users' },
  })
  first.socket.close()
  await expect.poll(async () => (await join()).reply.status).toBe('ok')
})

test('sockets that join without a user and sign in afterwards count for the user', async () => {
  const ana = await signUpCustomer()
  const topic = 'realtime:ana'
  const ends: unknown[] = []
  for (let count = 0; count <= realtimeSocketsPerUserMax; count += 1) {
    const socket = await openRawSocket()
    expect((await socket.join(topic, transactionsJoin())).status).toBe('ok')
    const payload = { access_token: ana.session.access_token }
    socket.send({ topic, event: 'access_token', payload, join_ref: '1' })
    // The subscription without a user was refused before.
    const end = await socket.frame(
      ({ event, payload: { status, extension } }) =>
        event === 'system' && (status === 'ok' || extension === 'system'),
    )
    ends.push(end.payload['message'])
  }

  expect(ends).toEqual([
    ...Array.from({ length: realtimeSocketsPerUserMax }, () => 'Subscribed to PostgreSQL'),
    'ConnectionRateLimitReached: Too many connected users',
  ])
})

test('a frame over the limit closes the socket', async () => {
  const socket = await openRawSocket()

  socket.sendText('x'.repeat(realtimeFrameBytesMax + 1))

  expect(await socket.closed()).toBe(1009)
})

// JSON.parse reads such a frame, JSON.stringify throws: the process ended.
test.for(['broadcast', 'presence'] as const)(
  'a %s that nests too deeply closes its socket, and no other one',
  async (event) => {
    const topic = `realtime:${randomUUID()}`
    const [neighbour, hostile] = [await openRawSocket(), await openRawSocket()]
    for (const socket of [neighbour, hostile])
      await socket.join(topic, { config: { broadcast: { self: true } } })

    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    hostile.sendText(`["1","2","${topic}","${event}",{"event":"track","payload":{"deep":${deep}}}]`)

    expect(await hostile.closed()).toBe(1007)
    expect(await neighbour.isAlive()).toBe(true)
  },
)

test('a socket that does not read what it is sent is dropped', async () => {
  const topics = Array.from({ length: 8 }, () => `realtime:${randomUUID()}`)
  const slow = await openRawSocket()
  for (const topic of topics) await slow.join(topic, {}, topic)
  const text = 'x'.repeat(realtimeFrameBytesMax - 1000)

  slow.pause()
  for (const topic of topics) {
    const sender = await openRawSocket()
    await sender.join(topic)
    for (let count = 0; count < realtimeMessagesPerSecondMax - 5; count += 1) {
      sender.send({ topic, event: 'broadcast', payload: { text } })
    }
    // Answered after everything that was sent before.
    await sender.isAlive()
  }
  slow.resume()

  expect(await slow.closed()).toBe(1006)
})

test('the broadcasts of a large topic are refused above a limit of bytes', async () => {
  const topic = `realtime:${randomUUID()}`
  const sockets = await Promise.all(Array.from({ length: 40 }, () => openRawSocket()))
  for (const socket of sockets) await socket.join(topic, { config: { broadcast: { ack: true } } })
  const [sender] = sockets
  // 35 messages to 39 others are 88 MB, within two seconds at most two times 16 MiB are sent.
  const text = 'x'.repeat(realtimeFrameBytesMax - 1000)

  const replies = await Promise.all(
    Array.from({ length: realtimeMessagesPerSecondMax - 15 }, async (_, index) => {
      const ref = `broadcast ${index}`
      sender?.send({ topic, event: 'broadcast', payload: { text }, ref, join_ref: '1' })
      return await sender?.reply(ref)
    }),
  )

  expect(replies).toContainEqual({
    status: 'error',
    response: { reason: 'MessagePerSecondRateLimitReached: Too many messages per second' },
  })
})
