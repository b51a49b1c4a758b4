import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { AnonymousSockets } from './anonymous-sockets.ts'

test('the oldest socket without a user is dropped when too many of these sockets are open', () => {
  const { sockets, dropped, add } = someSockets()

  for (let count = 0; count <= realtimeAnonymousSocketsMax; count += 1) add(count)

  expect(dropped).toEqual([0])
  sockets.add({ drop: () => undefined })
  expect(dropped).toEqual([0, 1])
})

test('a socket whose user has signed in is not dropped and no longer counts toward the limit', () => {
  const { sockets, dropped, add } = someSockets()
  const customer = add(0)

  sockets.delete(customer)
  for (let count = 1; count <= realtimeAnonymousSocketsMax; count += 1) add(count)

  expect(dropped).toEqual([])
})

function someSockets() {
  const sockets = new AnonymousSockets()
  const dropped: number[] = []
  const add = (name: number) => {
    const socket = { drop: () => dropped.push(name) }
    sockets.add(socket)
    return socket
  }
  return { sockets, dropped, add }
}
