import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { signUpCustomer } from '#tests/wire/people.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'
import { addExpense } from './watch.ts'

test('without a version frames are objects', async () => {
  const ana = await signUpCustomer()
  const socket = await openRawSocket(null)
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

test.for(['1.0.0', '2.0.0'] as const)('version %s: heartbeat, leave, rejoin and strays', async (vsn) => {
  const socket = await openRawSocket(vsn)
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
