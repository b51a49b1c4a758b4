import { EventEmitter } from 'node:events'
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import {
  realtimeBufferedBytesMax,
  realtimeChannelsPerSocketMax,
  realtimeFloodBytesPerSecond,
  realtimeFloodMessagesPerSecond,
  realtimeFrameBytesMax,
  realtimeHeartbeatMs,
  realtimeJoinWaitMs,
  realtimeMessagesPerSecondMax,
} from '@finanzas/contract/limits.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { Database } from '#database/database.ts'
import { PublishedTables } from '#realtime/changes/published-tables.ts'
import { TokenKey } from '#tokens/access-token.ts'
import { AnonymousSockets } from './anonymous-sockets.ts'
import type { Channel } from './channel.ts'
import { Registry } from './registry.ts'
import { Socket } from './socket.ts'

const tokenKey = await TokenKey.of('x'.repeat(32), { siteUrl: 'http://127.0.0.1' })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('a socket without a channel is closed and a socket with a channel stays open', async () => {
  const [idle, joined] = [open(), open()]
  await joined.push('realtime:a', 'phx_join')

  await vi.advanceTimersByTimeAsync(realtimeJoinWaitMs)

  expect([idle.closed, joined.closed]).toEqual([[1008], []])
  expect(idle.registry.counters.dropped).toEqual({ slow: 0, silent: 0, limit: 1 })
})

test('a silent socket is closed and a socket that sends heartbeats stays open', async () => {
  const [silent, alive] = [open(), open()]
  for (const socket of [silent, alive]) await socket.push('realtime:a', 'phx_join')

  for (let beat = 0; beat < 4; beat += 1) {
    await vi.advanceTimersByTimeAsync(realtimeHeartbeatMs)
    await alive.push('phoenix', 'heartbeat')
  }

  expect([silent.closed, alive.closed]).toEqual([[1008], []])
  expect(silent.registry.counters.dropped).toEqual({ slow: 0, silent: 1, limit: 0 })
})

test('a socket refuses every message above the limit per second and stays open', async () => {
  const socket = open()
  await socket.push('realtime:a', 'phx_join')
  for (let count = 1; count < realtimeMessagesPerSecondMax; count += 1)
    await socket.push('phoenix', 'heartbeat')

  await socket.push('realtime:b', 'phx_join')
  const refused = socket.sent.at(-1)?.payload
  await socket.push('phoenix', 'heartbeat')
  const heartbeat = socket.sent.at(-1)?.payload
  await socket.push('realtime:a', 'access_token')
  const ended = socket.sent.at(-1)
  await vi.advanceTimersByTimeAsync(1000)
  await socket.push('realtime:b', 'phx_join')

  expect(refused).toEqual({
    status: 'error',
    response: { reason: 'ClientJoinRateLimitReached: Too many joins per second' },
  })
  expect(heartbeat).toEqual({ status: 'ok', response: {} })
  // After `phx_error`, the client joins again.
  expect(ended).toMatchObject({ topic: 'realtime:a', event: 'phx_error' })
  expect(socket.sent.at(-1)?.payload['status']).toBe('ok')
  expect(socket.closed).toEqual([])
})

test('a socket that floods the server with messages is closed', async () => {
  const [many, long] = [open(), open()]
  const junk = { junk: 'x'.repeat(realtimeFrameBytesMax - 1000) }

  for (let count = 0; count < realtimeFloodMessagesPerSecond; count += 1)
    await many.push('phoenix', 'heartbeat')
  const stays = [...many.closed]
  await many.push('phoenix', 'heartbeat')
  for (let bytes = 0; bytes <= realtimeFloodBytesPerSecond; bytes += realtimeFrameBytesMax - 1000)
    await long.push('phoenix', 'heartbeat', junk)

  expect([stays, many.closed, long.closed]).toEqual([[], [1008], [1008]])
  expect(many.registry.counters.dropped).toEqual({ slow: 0, silent: 0, limit: 1 })
})

test('a message above the size limit is refused and the socket stays open', async () => {
  const socket = open()
  await socket.push('realtime:a', 'phx_join')

  await socket.push('realtime:a', 'broadcast', { payload: 'x'.repeat(realtimeFrameBytesMax) })

  expect(socket.sent.at(-1)?.payload).toEqual({
    status: 'error',
    response: { reason: 'payload_size_exceeded' },
  })
  expect(socket.closed).toEqual([])
})

test('a socket can join only a limited number of channels', async () => {
  const socket = open()

  for (let count = 0; count <= realtimeChannelsPerSocketMax; count += 1)
    await socket.push(`realtime:${count}`, 'phx_join')

  expect(socket.sent.filter(({ payload }) => payload['status'] === 'ok')).toHaveLength(
    realtimeChannelsPerSocketMax,
  )
  expect(socket.sent.at(-1)?.payload).toEqual({
    status: 'error',
    response: { reason: 'ChannelRateLimitReached: Too many channels' },
  })
})

test('a socket whose client does not read is dropped', async () => {
  const socket = open()
  await socket.push('realtime:a', 'phx_join')

  socket.bufferedAmount = realtimeBufferedBytesMax + 1
  await socket.push('phoenix', 'heartbeat')

  expect(socket.isTerminated).toBe(true)
  expect(socket.registry.counters.dropped).toEqual({ slow: 1, silent: 0, limit: 0 })
})

test.for(['broadcast', 'presence'])('a %s from a client is refused with a reason', async (event) => {
  const socket = open()
  await socket.push('realtime:a', 'phx_join')

  await socket.push('realtime:a', event, { event: 'track' })

  expect(socket.sent).toHaveLength(2)
  expect(socket.sent.at(-1)?.payload).toEqual({
    status: 'error',
    response: { reason: expect.stringMatching(new RegExp(`^${event}NotSupported: `, 'i')) },
  })
})

test('a client that joins with presence gets the reason for the refusal', async () => {
  const socket = open()

  await socket.push('realtime:a', 'phx_join', { config: { presence: { enabled: true, key: '' } } })

  expect(socket.sent.at(-1)?.payload).toEqual({
    status: 'error',
    response: { reason: 'PresenceNotSupported: This server sends changes of tables only' },
  })
})

test('a join is answered even if its session ends during the check', async () => {
  const [sub, now] = [crypto.randomUUID(), Math.floor(Date.now() / 1000)]
  const access_token = await tokenKey.sign({
    iss: tokenKey.issuer,
    sub,
    aud: 'authenticated',
    role: 'authenticated',
    session_id: sub,
    iat: now,
    exp: now + 60,
  } as AccessTokenClaims)
  const asked = Promise.withResolvers<[]>()
  const socket = open({ transaction: () => asked.promise } as unknown as Database)
  vi.useRealTimers()
  await socket.push('realtime:a', 'phx_join', { access_token })
  await expect.poll(() => socket.registry.size).toBe(1)

  for (const channel of socket.registry) channel.end('It has ended')
  asked.resolve([])
  await asked.promise

  const response = { reason: 'InvalidJWTToken: It has ended' }
  expect(socket.sent).toMatchObject([{ event: 'phx_reply', payload: { status: 'error', response } }])
})

test('invalid text closes the socket', () => {
  const socket = open()

  socket.emit('message', Buffer.from('["1",'), false)

  expect(socket.closed).toEqual([1007])
})

type Sent = { topic: string; event: string; payload: Record<string, unknown> }

/** A fake WebSocket that records the frames that the server sends. */
class FakeWebSocket extends EventEmitter {
  readonly OPEN = 1
  readonly readyState = 1
  readonly registry = new Registry<Channel>()
  readonly sent: Sent[] = []
  readonly closed: number[] = []
  bufferedAmount = 0
  isTerminated = false

  send(text: string): void {
    const [, , topic, event, payload] = JSON.parse(text) as [
      unknown,
      unknown,
      string,
      string,
      Sent['payload'],
    ]
    this.sent.push({ topic, event, payload })
  }

  close(code: number): void {
    this.closed.push(code)
  }

  terminate(): void {
    this.isTerminated = true
  }

  async push(topic: string, event: string, payload = {}): Promise<void> {
    this.emit('message', Buffer.from(JSON.stringify([null, '1', topic, event, payload])), false)
    if (vi.isFakeTimers()) await vi.advanceTimersByTimeAsync(0)
  }
}

function open(database = {} as Database): FakeWebSocket {
  const webSocket = new FakeWebSocket()
  const services = {
    database,
    tokenKey,
    tables: new PublishedTables(database),
    registry: webSocket.registry,
    anonymousSockets: new AnonymousSockets(),
    log: { error: () => undefined },
  }
  void new Socket(services, webSocket as unknown as WebSocket, 'anon')
  return webSocket
}
