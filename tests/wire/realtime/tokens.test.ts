import { clockSkewSeconds } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { signIn, signUpCustomer } from '#tests/wire/people.ts'
import { resigned } from '#tests/wire/resigned-token.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

test('a channel stays open with a renewed token', async () => {
  const ana = await signUpCustomer()
  const watching = await watch(ana.client, { table: 'transactions' })

  const { error } = await ana.client.auth.refreshSession()
  await ana.client.realtime.setAuth()
  const id = await addExpense(ana)

  expect(error).toBeNull()
  await watching.change(isInsertOf(id))
  expect(watching.states).toEqual(['SUBSCRIBED'])
})

test('a client with an expired, altered or invalid token cannot join', async () => {
  const ana = await signUpCustomer()
  const exp = Math.floor(Date.now() / 1000) - clockSkewSeconds - 10
  const tokens = [
    await resigned(ana.session.access_token, { exp }),
    `${ana.session.access_token.slice(0, -4)}AAAA`,
    'none',
  ]
  const socket = await openRawSocket()

  const reasons: unknown[] = []
  for (const [index, token] of tokens.entries()) {
    const { status, response } = await socket.join('realtime:ana', transactionsJoin(token), String(index))
    expect(status).toBe('error')
    reasons.push(response['reason'])
  }

  expect(reasons[0]).toMatch(/^InvalidJWTToken: Token has expired 4\d seconds ago$/)
  expect(reasons[1]).toMatch(/^InvalidJWTToken: /)
  expect(reasons[2]).toMatch(/^InvalidJWTToken: /)
})

test('a channel closes when its token expires', async () => {
  const ana = await signUpCustomer()
  // The server accepts a token for `clockSkewSeconds` after it expires. This token is therefore accepted for less than
  // six more seconds.
  const exp = Math.floor(Date.now() / 1000) - clockSkewSeconds + 6
  const socket = await openRawSocket()

  const token = await resigned(ana.session.access_token, { exp })
  expect((await socket.join('realtime:ana', transactionsJoin(token))).status).toBe('ok')

  const message = await socket.frame(
    ({ event, payload }) => event === 'system' && payload['status'] === 'error',
  )
  // A timer may fire late but not early.
  const [, seconds] = /^Token has expired (\d+) seconds ago$/.exec(String(message.payload['message'])) ?? []
  expect(Number(seconds)).toBeGreaterThanOrEqual(clockSkewSeconds)
  expect(Number(seconds)).toBeLessThan(clockSkewSeconds + 10)
  await socket.frame(({ event }) => event === 'phx_close')
})

test('sending an invalid token on a joined channel closes the channel', async () => {
  const ana = await signUpCustomer()
  const socket = await openRawSocket()
  const topic = `realtime:user-${ana.id}`
  await socket.join(topic, transactionsJoin(ana.session.access_token))

  socket.send({ topic, event: 'access_token', payload: { access_token: 'none' }, ref: '2', join_ref: '1' })

  await socket.frame(({ event }) => event === 'phx_close')
})

test('a global sign-out closes the channels of every device within a second', async () => {
  const ana = await signUpCustomer()
  const phone = await signIn(ana)
  const watching = await watch(phone.client, { table: 'transactions' })

  await ana.client.auth.signOut({ scope: 'global' })

  await watching.state('CLOSED')
  expect(watching.messages.at(-1)).toMatchObject({
    extension: 'system',
    status: 'error',
    message: 'Session from session_id claim in JWT does not exist',
  })
})

test('a local sign-out does not close the channels of other devices', async () => {
  const ana = await signUpCustomer()
  const phone = await signIn(ana)
  const watching = await watch(phone.client, { table: 'transactions' })

  await ana.client.auth.signOut({ scope: 'local' })
  const id = await addExpense(phone)

  await watching.change(isInsertOf(id))
})

test('a client in an ended session cannot join', async () => {
  const ana = await signUpCustomer()
  await ana.client.auth.signOut()
  const socket = await openRawSocket()

  expect(await socket.join(`realtime:user-${ana.id}`, transactionsJoin(ana.session.access_token))).toEqual({
    status: 'error',
    response: { reason: 'InvalidJWTToken: Session from session_id claim in JWT does not exist' },
  })
})
