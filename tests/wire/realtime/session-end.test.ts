import { expect, test } from 'vitest'
import { signIn, signUpCustomer } from '#tests/wire/people.ts'
import { openRawSocket, transactionsJoin } from './raw-socket.ts'
import { addExpense, isInsertOf, watch } from './watch.ts'

test('signing out everywhere closes the channels of every device within a second', async () => {
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

test('signing out on one device leaves the channels of the others open', async () => {
  const ana = await signUpCustomer()
  const phone = await signIn(ana)
  const watching = await watch(phone.client, { table: 'transactions' })

  await ana.client.auth.signOut({ scope: 'local' })
  const id = await addExpense(phone)

  await watching.change(isInsertOf(id))
})

test('a session that has ended does not join', async () => {
  const ana = await signUpCustomer()
  await ana.client.auth.signOut()
  const socket = await openRawSocket()

  expect(await socket.join(`realtime:user-${ana.id}`, transactionsJoin(ana.session.access_token))).toEqual({
    status: 'error',
    response: { reason: 'InvalidJWTToken: Session from session_id claim in JWT does not exist' },
  })
})
