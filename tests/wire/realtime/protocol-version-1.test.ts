import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { joinFrame, openRawSocket } from './raw-socket.ts'
import { addExpense } from './watch.ts'

test.for(['1.0.0', null] as const)('version %s speaks in objects', async (vsn) => {
  const ana = await signUpCustomer()
  const socket = await openRawSocket(vsn)
  const topic = `realtime:user-${ana.id}`

  socket.send(joinFrame(topic, ana.session.access_token))
  const { status, response } = await socket.reply('1')
  const id = await addExpense(ana)
  const change = await socket.frame(({ event }) => event === 'postgres_changes')

  expect({ status, response }).toEqual({
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
    data: { type: 'INSERT', record: { id }, errors: null },
  })
  expect((change.payload['data'] as { columns: unknown[] }).columns).toContainEqual({
    name: 'amount',
    type: 'numeric',
  })
  socket.close()
})

test.for(['1.0.0', '2.0.0'] as const)('version %s: heartbeat, leave, rejoin and strays', async (vsn) => {
  const socket = await openRawSocket(vsn)
  const topic = `realtime:${randomUUID()}`
  const join = (ref: string) =>
    socket.send({ topic, event: 'phx_join', payload: { config: {} }, ref, join_ref: ref })

  socket.send({ topic: 'phoenix', event: 'heartbeat', payload: {}, ref: '1' })
  expect(await socket.reply('1')).toEqual({ status: 'ok', response: {} })

  join('2')
  expect((await socket.reply('2')).status).toBe('ok')
  join('3')
  await socket.frame(({ event, join_ref }) => event === 'phx_close' && join_ref === '2')
  expect((await socket.reply('3')).status).toBe('ok')

  socket.send({ topic, event: 'phx_leave', payload: {}, ref: '4', join_ref: '3' })
  expect((await socket.reply('4')).status).toBe('ok')
  await socket.frame(({ event, join_ref }) => event === 'phx_close' && join_ref === '3')

  socket.send({ topic, event: 'access_token', payload: {}, ref: '5', join_ref: '3' })
  expect(await socket.reply('5')).toEqual({ status: 'error', response: { reason: 'unmatched topic' } })
  socket.send({ topic: 'other:x', event: 'phx_join', payload: {}, ref: '6', join_ref: '6' })
  expect(await socket.reply('6')).toEqual({ status: 'error', response: { reason: 'unmatched topic' } })
  socket.close()
})

test.for(['1.0.0', '2.0.0'] as const)('version %s: a frame that is none closes the socket', async (vsn) => {
  const socket = await openRawSocket(vsn)

  socket.sendText('{"topic":')

  expect(await socket.closed()).toBe(1007)
})
