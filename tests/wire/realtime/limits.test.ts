// What only a real socket can break; the other limits are server/realtime/connection/socket.test.ts.
import { realtimeFrameBytesMax, realtimeSocketsPerUserMax } from '@finanzas/contract/limits.ts'
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
