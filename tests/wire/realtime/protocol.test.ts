import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { newClient, signUpCustomer } from '#tests/wire/people.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'
import { addExpense, joined } from './watch.ts'

test('a channel receives the answer to its join before any change', async () => {
  const ana = await signUpCustomer()
  const socket = await openRawSocket()
  const topic = `realtime:user-${ana.id}`

  const reply = await socket.join(topic, transactionsJoin(ana.session.access_token))
  const id = await addExpense(ana)
  const change = await socket.frame(({ event }) => event === 'postgres_changes')

  expect(reply).toEqual({
    status: 'ok',
    response: { postgres_changes: [{ id: 1, event: '*', schema: 'public', table: 'transactions' }] },
  })
  expect(socket.frames).toContainEqual({
    topic,
    event: 'system',
    payload: {
      extension: 'postgres_changes',
      status: 'ok',
      message: 'Subscribed to PostgreSQL',
      channel: `user-${ana.id}`,
    },
    ref: null,
    join_ref: null,
  })
  expect(change.payload).toMatchObject({
    ids: [1],
    data: {
      type: 'INSERT',
      record: { id },
      errors: null,
      columns: expect.arrayContaining([{ name: 'amount', type: 'numeric' }]),
    },
  })
})

test('the server answers heartbeats and lets a client leave and rejoin', async () => {
  const socket = await openRawSocket()
  const topic = `realtime:${randomUUID()}`
  const closed = (ref: string) =>
    socket.frame(({ event, join_ref }) => event === 'phx_close' && join_ref === ref)

  expect(await socket.isAlive()).toBe(true)
  expect((await socket.join(topic, { config: {} }, '2')).status).toBe('ok')
  expect((await socket.join(topic, { config: {} }, '3')).status).toBe('ok')
  await closed('2')

  socket.send({ topic, event: 'phx_leave', payload: {}, ref: '4', join_ref: '3' })
  expect((await socket.reply('4')).status).toBe('ok')
  await closed('3')

  const unmatched = { status: 'error', response: { reason: 'unmatched topic' } }
  socket.send({ topic, event: 'access_token', payload: {}, ref: '5', join_ref: '3' })
  expect(await socket.reply('5')).toEqual(unmatched)
  expect(await socket.join('other:x', {}, '6')).toEqual(unmatched)
})

test('a client that tries to join a private channel is refused with the reason', async () => {
  const channel = newClient().channel('secret', { config: { private: true } })

  const refusal = await new Promise((resolve) => {
    channel.subscribe((state, error) => {
      if (state === REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR) resolve(error?.message)
    })
  })

  expect(refusal).toBe('Unauthorized: You do not have permissions to read from this Channel topic: secret')
})

test('a client cannot send a broadcast, neither as JSON nor as bytes', async () => {
  const topic = randomUUID()
  const config = { broadcast: { ack: true, self: true } }
  const channel = await joined(newClient().channel(topic, { config }))
  const received: unknown[] = []
  channel.on('broadcast', { event: '*' }, (message) => received.push(message))

  const send = (payload: object) => channel.send({ type: 'broadcast', event: 'x', payload })

  expect(await send({ text: 'hola' })).toBe('error')
  expect(await send(new Uint8Array([1]).buffer)).toBe('error')
  expect(received).toEqual([])
})
