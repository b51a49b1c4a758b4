import { randomUUID } from 'node:crypto'
import type { RealtimeChannel } from '@supabase/supabase-js'
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

test('a presence ends with untrack, with its channel and with its socket, and the others stay', async () => {
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

test('a large presence, and a push that is none, are refused', async () => {
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
