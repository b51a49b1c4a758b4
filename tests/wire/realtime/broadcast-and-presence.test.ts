import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { realtimePresenceBytesMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { newClient } from '#tests/wire/people.ts'
import { openRawSocket } from './raw-socket.ts'
import { joined } from './watch.ts'

/** A joined channel that receives presences. */
function present(topic: string, key: string): Promise<RealtimeChannel> {
  const channel = newClient().channel(topic, { config: { presence: { key } } })
  channel.on('presence', { event: 'sync' }, () => undefined)
  return joined(channel)
}

const stateOf = (channel: RealtimeChannel) =>
  Object.entries(channel.presenceState<{ desk: string }>())
    .map(([key, metas]) => `${key}: ${metas.map(({ desk }) => desk).join(', ')}`)
    .sort()

test('a tracked presence reaches earlier and later members of its topic, and no other topic', async () => {
  const topic = randomUUID()
  const [ana, luis, elsewhere] = [
    await present(topic, 'ana'),
    await present(topic, 'luis'),
    await present(randomUUID(), 'eva'),
  ]
  expect(stateOf(ana)).toEqual([])

  expect(await ana.track({ desk: 'caja 1' })).toBe('ok')
  expect(await luis.track({ desk: 'caja 2' })).toBe('ok')
  const ines = await present(topic, 'inés')
  await elsewhere.track({ desk: 'mesa' })

  for (const member of [ana, luis, ines])
    await expect.poll(() => stateOf(member)).toEqual(['ana: caja 1', 'luis: caja 2'])
  await expect.poll(() => stateOf(elsewhere)).toEqual(['eva: mesa'])
})

test('tracking again replaces the presence, and two channels of one key are both there', async () => {
  const topic = randomUUID()
  const [desk, phone, watcher] = [
    await present(topic, 'ana'),
    await present(topic, 'ana'),
    await present(topic, 'luis'),
  ]

  await desk.track({ desk: 'caja 1' })
  await desk.track({ desk: 'caja 3' })
  await phone.track({ desk: 'teléfono' })

  await expect.poll(() => stateOf(watcher)).toEqual(['ana: caja 3, teléfono'])
})

test('a presence ends with untrack or with its channel or socket, and the others stay', async () => {
  const topic = randomUUID()
  const watcher = await present(topic, 'luis')
  const [ana, ines, eva] = [
    await present(topic, 'ana'),
    await present(topic, 'inés'),
    await present(topic, 'eva'),
  ]
  for (const channel of [ana, ines, eva]) await channel.track({ desk: 'caja' })
  await watcher.track({ desk: 'mesa' })
  await expect.poll(() => stateOf(watcher)).toHaveLength(4)

  await ana.untrack()
  await ines.unsubscribe()
  await eva.socket.disconnect()

  await expect.poll(() => stateOf(watcher)).toEqual(['luis: mesa'])
})

test('a large presence and an invalid push are refused', async () => {
  const topic = `realtime:${randomUUID()}`
  const socket = await openRawSocket()
  await socket.join(topic)
  const push = async (ref: string, payload: Record<string, unknown>) => {
    socket.send({ topic, event: 'presence', payload, ref, join_ref: '1' })
    return (await socket.reply(ref)).status
  }
  const text = 'x'.repeat(realtimePresenceBytesMax)

  expect(await push('2', { event: 'track', payload: { text } })).toBe('error')
  expect(await push('3', { event: 'clap' })).toBe('error')
  expect(await push('4', { event: 'track', payload: { text: 'x' } })).toBe('ok')
})

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
