import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { newClient } from '#tests/wire/people.ts'
import { joined } from './watch.ts'

/** Two members of a topic, and the broadcasts that the second one receives. */
async function twoMembers() {
  const topic = randomUUID()
  const sender = newClient().channel(topic, { config: { broadcast: { ack: true } } })
  const receiver = newClient().channel(topic)
  const received: unknown[] = []
  receiver.on('broadcast', { event: '*' }, (message) => received.push(message))
  await Promise.all([joined(sender), joined(receiver)])
  return { sender, received }
}

test('a broadcast reaches the other members of a public channel and is acknowledged', async () => {
  const { sender, received } = await twoMembers()
  const message = { type: 'broadcast', event: 'greeting', payload: { text: 'Buenos días' } } as const

  expect(await sender.send(message)).toBe('ok')
  await expect.poll(() => received).toEqual([message])
})

test('a broadcast of raw bytes is refused at once, and not sent on', async () => {
  const { sender, received } = await twoMembers()

  const payload = new Uint8Array([1, 2, 3]).buffer
  expect(await sender.send({ type: 'broadcast', event: 'bytes', payload })).toBe('error')
  await sender.send({ type: 'broadcast', event: 'json', payload: {} })

  await expect.poll(() => received).toMatchObject([{ event: 'json' }])
})

test('a private channel is refused with a reason', async () => {
  const channel = newClient().channel('secret', { config: { private: true } })

  const reason = await new Promise((resolve) => {
    channel.subscribe((state, error) => {
      if (state === REALTIME_SUBSCRIBE_STATES.CHANNEL_ERROR) resolve(error?.message)
    })
  })

  expect(reason).toBe('Unauthorized: You do not have permissions to read from this Channel topic: secret')
})
