import { randomUUID } from 'node:crypto'
import {
  realtimeChannelsPerSocketMax,
  realtimeFrameBytesMax,
  realtimeMessagesPerSecondMax,
  realtimeSocketsPerUserMax,
} from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#conformance/people.ts'
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

test('a frame over the limit closes the socket', async () => {
  const socket = await openRawSocket('2.0.0')

  socket.sendText('x'.repeat(realtimeFrameBytesMax + 1))

  expect(await socket.closed()).toBe(1009)
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
