// Limits that can be tested only with a real socket. server/realtime/connection/socket.test.ts tests the other limits.
import {
  realtimeChannelsPerSocketMax,
  realtimeFrameBytesMax,
  realtimeRefusedFrameBytesMax,
  realtimeSocketsPerUserMax,
} from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'
import { addExpense } from './watch.ts'

test('a customer can open only a limited number of sockets, and can open another one after closing one', async () => {
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

test('a socket that joins without a user counts towards the user’s limit after it signs in', async () => {
  const ana = await signUpCustomer()
  const topic = 'realtime:ana'
  const ends: unknown[] = []
  for (let count = 0; count <= realtimeSocketsPerUserMax; count += 1) {
    const socket = await openRawSocket()
    expect((await socket.join(topic, transactionsJoin())).status).toBe('ok')
    const payload = { access_token: ana.session.access_token }
    socket.send({ topic, event: 'access_token', payload, join_ref: '1' })
    // Ignores the earlier message, with which the server refused the subscription of a socket without a user.
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

test('a frame above the limit is refused, and a frame far above it closes the socket', async () => {
  const socket = await openRawSocket()

  const reply = await socket.join('realtime:a', { junk: 'x'.repeat(realtimeFrameBytesMax) })

  expect(reply).toEqual({ status: 'error', response: { reason: 'payload_size_exceeded' } })
  expect(await socket.isAlive()).toBe(true)
  socket.sendText('x'.repeat(realtimeRefusedFrameBytesMax + 1))
  expect(await socket.closed()).toBe(1009)
})

test('a client that opens too many channels keeps the channels that have joined', async () => {
  const ana = await signUpCustomer()
  const states = new Map<string, string[]>()
  for (let count = 0; count < 130; count += 1) {
    const topic = `channel-${count}`
    states.set(topic, [])
    ana.client
      .channel(topic)
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'transactions' }, () =>
        states.get(topic)?.push('change'),
      )
      .subscribe((state) => states.get(topic)?.push(state))
  }
  const refusals = () => [...states.values()].flat().filter((state) => state === 'CHANNEL_ERROR').length
  // The client library retries each refused channel after one second and again after two seconds.
  await expect.poll(refusals, { timeout: 20_000 }).toBeGreaterThan(300)
  await addExpense(ana)

  const joined = () => [...states.values()].filter((each) => each[0] === 'SUBSCRIBED')
  const received = Array.from({ length: realtimeChannelsPerSocketMax }, () => ['SUBSCRIBED', 'change'])
  await expect.poll(joined, { timeout: 10_000 }).toEqual(received)
  await ana.client.removeAllChannels()
})
