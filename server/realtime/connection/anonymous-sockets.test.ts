import { realtimeAnonymousSocketsMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { Strangers } from './anonymous-sockets.ts'

test('when there are too many sockets without a user, the oldest is dropped', () => {
  const { strangers, dropped, come } = street()

  for (let count = 0; count <= realtimeAnonymousSocketsMax; count += 1) come(count)

  expect(dropped).toEqual([0])
  strangers.add({ drop: () => undefined })
  expect(dropped).toEqual([0, 1])
})

test('a socket that has a user now is not dropped, and makes room', () => {
  const { strangers, dropped, come } = street()
  const customer = come(0)

  strangers.delete(customer)
  for (let count = 1; count <= realtimeAnonymousSocketsMax; count += 1) come(count)

  expect(dropped).toEqual([])
})

function street() {
  const strangers = new Strangers()
  const dropped: number[] = []
  const come = (name: number) => {
    const socket = { drop: () => dropped.push(name) }
    strangers.add(socket)
    return socket
  }
  return { strangers, dropped, come }
}
