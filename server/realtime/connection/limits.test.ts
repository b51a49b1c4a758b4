import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { AnonymousSockets } from './limits.ts'

test('when there are too many sockets without a user, the oldest is dropped', () => {
  const { sockets, dropped, add } = someSockets()

  for (let count = 0; count <= realtimeAnonymousSocketsMax; count += 1) add(count)

  expect(dropped).toEqual([0])
  sockets.add({ drop: () => undefined })
  expect(dropped).toEqual([0, 1])
})

test('a socket that has a user now is not dropped, and makes room', () => {
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
