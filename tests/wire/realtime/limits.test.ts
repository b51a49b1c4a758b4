import { randomUUID } from 'node:crypto'
import {
  realtimeChannelsPerSocketMax,
  realtimeFrameBytesMax,
  realtimeJoinWaitMs,
  realtimeMessagesPerSecondMax,
  realtimeSocketsPerUserMax,
  realtimeToldBytesPerSecondMax,
} from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { type RawSocket, joinFrame, openRawSocket } from './raw-socket.ts'

test('one socket has room for a limited number of channels', async () => {
  const socket = await openRawSocket('2.0.0')

  for (let count = 0; count <= realtimeChannelsPerSocketMax; count += 1) {
    const ref = String(count)
    socket.send({ topic: `realtime:${ref}`, event: 'phx_join', payload: {}, ref, join_ref: ref })
  }

  expect((await socket.reply(String(realtimeChannelsPerSocketMax - 1))).status).toBe('ok')
  expect(await socket.reply(String(realtimeChannelsPerSocketMax))).toEqual({
    status: 'error',
    response: { reason: 'ChannelRateLimitReached: Too many channels' },
  })
  socket.close()
})

test('one customer has room for a limited number of sockets, and a closed one makes room', async () => {
  const ana = await signUpCustomer()
  const join = async () => {
    const socket = await openRawSocket('2.0.0')
    socket.send(joinFrame(`realtime:user-${ana.id}`, ana.session.access_token))
    return { socket, reply: await socket.reply('1') }
  }
  const sockets: RawSocket[] = []
  for (let count = 0; count < realtimeSocketsPerUserMax; count += 1) {
    const { socket, reply } = await join()
    expect(reply.status).toBe('ok')
    sockets.push(socket)
  }

  const oneTooMany = await join()

  expect(oneTooMany.reply).toEqual({
    status: 'error',
    response: { reason: 'ConnectionRateLimitReached: Too many connected users' },
  })
  sockets[0]?.close()
  await expect.poll(async () => (await join()).reply.status).toBe('ok')
  for (const socket of sockets) socket.close()
})

test('who joins as nobody and says afterwards who they are has no room for more sockets', async () => {
  const ana = await signUpCustomer()
  const topic = `realtime:user-${ana.id}`
  const sockets = await Promise.all(
    Array.from({ length: realtimeSocketsPerUserMax + 1 }, () => openRawSocket('2.0.0')),
  )
  const ends: unknown[] = []
  for (const socket of sockets) {
    socket.send(joinFrame(topic, undefined))
    expect((await socket.reply('1')).status).toBe('ok')
    socket.send({
      topic,
      event: 'access_token',
      payload: { access_token: ana.session.access_token },
      join_ref: '1',
    })
    // The customer's own subscription is told of; nobody's was refused.
    const { event, payload } = await socket.frame(
      ({ event, payload }) =>
        event === 'phx_close' ||
        (event === 'system' && payload['status'] === 'ok') ||
        payload['extension'] === 'system',
    )
    ends.push(event === 'system' ? payload['message'] : event)
  }

  expect(ends).toEqual([
    ...Array.from({ length: realtimeSocketsPerUserMax }, () => 'Subscribed to PostgreSQL'),
    'ConnectionRateLimitReached: Too many connected users',
  ])
  for (const socket of sockets) socket.close()
})

test('a frame over the limit closes the socket', async () => {
  const socket = await openRawSocket('2.0.0')

  socket.sendText('x'.repeat(realtimeFrameBytesMax + 1))

  expect(await socket.closed()).toBe(1009)
})

// The real fault was that such a frame ended the process: JSON.parse reads it, JSON.stringify throws.
test.for(['broadcast', 'presence'] as const)(
  'a %s that nests too deeply closes its socket, and nobody else hears of it',
  async (event) => {
    const topic = `realtime:${randomUUID()}`
    const join = {
      topic,
      event: 'phx_join',
      payload: { config: { broadcast: { self: true } } },
      ref: '1',
      join_ref: '1',
    }
    const [neighbour, hostile] = [await openRawSocket('2.0.0'), await openRawSocket('2.0.0')]
    for (const socket of [neighbour, hostile]) {
      socket.send(join)
      expect((await socket.reply('1')).status).toBe('ok')
    }

    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    hostile.sendText(`["1","2","${topic}","${event}",{"event":"track","payload":{"deep":${deep}}}]`)

    expect(await hostile.closed()).toBe(1007)
    neighbour.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '2' })
    expect((await neighbour.reply('2')).status).toBe('ok')
    neighbour.close()
  },
)

test('a socket that joins nothing is closed, and one that has joined stays', async () => {
  const [idle, joined] = [await openRawSocket('2.0.0'), await openRawSocket('2.0.0')]
  joined.send({ topic: `realtime:${randomUUID()}`, event: 'phx_join', payload: {}, ref: '1', join_ref: '1' })

  expect(await idle.closed(realtimeJoinWaitMs + 8000)).toBe(1008)
  joined.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '2' })
  expect((await joined.reply('2')).status).toBe('ok')
  joined.close()
})

test('a socket that says too much is closed', async () => {
  const socket = await openRawSocket('2.0.0')

  for (let count = 0; count < 3 * realtimeMessagesPerSecondMax; count += 1) {
    socket.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: String(count) })
  }

  expect(await socket.closed()).toBe(1008)
})

test('a join with too many subscriptions is refused', async () => {
  const socket = await openRawSocket('2.0.0')
  const entry = { event: '*', schema: 'public', table: 'transactions' }

  socket.send({
    topic: `realtime:${randomUUID()}`,
    event: 'phx_join',
    payload: { config: { postgres_changes: Array.from({ length: 21 }, () => entry) } },
    ref: '1',
    join_ref: '1',
  })

  expect((await socket.reply('1')).status).toBe('error')
  socket.close()
})

test('a socket that does not read what it is sent is dropped', async () => {
  const topics = Array.from({ length: 8 }, () => `realtime:${randomUUID()}`)
  const join = async (socket: RawSocket, topic: string) => {
    socket.send({ topic, event: 'phx_join', payload: {}, ref: topic, join_ref: topic })
    await socket.reply(topic)
  }
  const slow = await openRawSocket('2.0.0')
  for (const topic of topics) await join(slow, topic)
  const text = 'x'.repeat(realtimeFrameBytesMax - 1000)

  slow.pause()
  for (const topic of topics) {
    const speaker = await openRawSocket('2.0.0')
    await join(speaker, topic)
    for (let count = 0; count < realtimeMessagesPerSecondMax - 5; count += 1) {
      speaker.send({ topic, event: 'broadcast', payload: { text } })
    }
    // Answered after everything that was sent before.
    speaker.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: 'last' })
    await speaker.reply('last')
    speaker.close()
  }
  slow.resume()

  expect(await slow.closed()).toBe(1006)
})

test('a crowd that shouts is heard up to a limit, whoever is in it', async () => {
  const topic = `realtime:${randomUUID()}`
  const sockets = await Promise.all(Array.from({ length: 40 }, () => openRawSocket('2.0.0')))
  for (const socket of sockets) {
    socket.send({
      topic,
      event: 'phx_join',
      payload: { config: { broadcast: { ack: true } } },
      ref: 'join',
      join_ref: '1',
    })
    await socket.reply('join')
  }
  const [speaker] = sockets
  const shout = async (ref: string, text: string) => {
    speaker?.send({ topic, event: 'broadcast', payload: { text }, ref, join_ref: '1' })
    return await speaker?.reply(ref)
  }
  // What others said before counts too.
  let whispers = 0
  await expect.poll(async () => (await shout(`whisper ${(whispers += 1)}`, ''))?.status).toBe('ok')

  const text = 'x'.repeat(realtimeFrameBytesMax - 1000)
  const begunAt = performance.now()
  const replies = await Promise.all(
    Array.from({ length: realtimeMessagesPerSecondMax - 15 }, (_, index) => shout(String(index), text)),
  )

  // 35 messages to 39 others are 88 MB; what is taken in a second is 16 MiB, and they fall into two at least.
  const seconds = Math.ceil((performance.now() - begunAt) / 1000) + 1
  const told = replies.filter((reply) => reply?.status === 'ok').length
  expect(told).toBeGreaterThan(0)
  expect(told * (sockets.length - 1) * text.length).toBeLessThanOrEqual(
    seconds * realtimeToldBytesPerSecondMax,
  )
  expect(replies).toContainEqual({
    status: 'error',
    response: { reason: 'MessagePerSecondRateLimitReached: Too many messages per second' },
  })
  for (const socket of sockets) socket.close()
})
