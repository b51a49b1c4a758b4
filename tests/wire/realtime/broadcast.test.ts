import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { newClient } from '#tests/wire/people.ts'

test('a broadcast reaches the other members of a public channel and is acknowledged', async () => {
  const name = randomUUID()
  const speaker = newClient().channel(name, { config: { broadcast: { ack: true } } })
  const listener = newClient().channel(name)
  const heard = new Promise((resolve) => {
    listener.on('broadcast', { event: 'greeting' }, resolve)
  })
  await Promise.all([joined(speaker), joined(listener)])

  const sent = await speaker.send({ type: 'broadcast', event: 'greeting', payload: { text: 'Buenos días' } })

  expect(sent).toBe('ok')
  expect(await heard).toEqual({ type: 'broadcast', event: 'greeting', payload: { text: 'Buenos días' } })
})

test('a broadcast of raw bytes is refused at once, and nobody hears it', async () => {
  const name = randomUUID()
  const speaker = newClient().channel(name, { config: { broadcast: { ack: true } } })
  const listener = newClient().channel(name)
  const heard: unknown[] = []
  listener.on('broadcast', { event: '*' }, ({ event }) => heard.push(event))
  await Promise.all([joined(speaker), joined(listener)])

  const payload = new Uint8Array([1, 2, 3]).buffer
  const sent = await speaker.send({ type: 'broadcast', event: 'bytes', payload })
  await speaker.send({ type: 'broadcast', event: 'json', payload: {} })

  expect(sent).toBe('error')
  await expect.poll(() => heard).toEqual(['json'])
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

function joined(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve) => {
    channel.subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
    })
  })
}
