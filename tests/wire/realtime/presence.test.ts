// Who is present on a public channel, as the client tells it to the page. Seen red with: leaving not told; the state not
// sent to who comes later; the limit of size left out.
import { randomUUID } from 'node:crypto'
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from '@supabase/supabase-js'
import { realtimePresenceBytesMax } from '@finanzas/contract/limits.ts'
import { expect, test } from 'vitest'
import { newClient } from '#tests/wire/people.ts'
import { openRawSocket } from './raw-socket.ts'

/** A channel that hears who is present, once it is joined. */
async function present(topic: string, key: string): Promise<RealtimeChannel> {
  const channel = newClient().channel(topic, { config: { presence: { key } } })
  channel.on('presence', { event: 'sync' }, () => undefined)
  await new Promise<void>((resolve) => {
    channel.subscribe((state) => {
      if (state === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
    })
  })
  return channel
}

const seenBy = (channel: RealtimeChannel) => {
  const state = channel.presenceState<{ desk: string }>()
  return Object.entries(state)
    .map(([key, metas]) => `${key}: ${metas.map(({ desk }) => desk).join(', ')}`)
    .sort()
}

test('who tracks is seen by who was there before and by who comes later', async () => {
  const topic = randomUUID()
  const [ana, luis] = [await present(topic, 'ana'), await present(topic, 'luis')]
  expect(seenBy(ana)).toEqual([])

  expect(await ana.track({ desk: 'caja 1' })).toBe('ok')
  expect(await luis.track({ desk: 'caja 2' })).toBe('ok')
  const ines = await present(topic, 'inés')

  const both = ['ana: caja 1', 'luis: caja 2']
  await expect.poll(() => seenBy(ana)).toEqual(both)
  await expect.poll(() => seenBy(luis)).toEqual(both)
  await expect.poll(() => seenBy(ines)).toEqual(both)
})

test('tracking again replaces what was said, and two devices of one key are both there', async () => {
  const topic = randomUUID()
  const [desk, phone, watcher] = [
    await present(topic, 'ana'),
    await present(topic, 'ana'),
    await present(topic, 'luis'),
  ]

  await desk.track({ desk: 'caja 1' })
  await desk.track({ desk: 'caja 3' })
  await phone.track({ desk: 'teléfono' })

  await expect.poll(() => seenBy(watcher)).toEqual(['ana: caja 3, teléfono'])
})

test('who untracks, leaves or is cut off is gone, and the others stay', async () => {
  const topic = randomUUID()
  const watcher = await present(topic, 'luis')
  const [ana, ines, eva] = [
    await present(topic, 'ana'),
    await present(topic, 'inés'),
    await present(topic, 'eva'),
  ]
  for (const channel of [ana, ines, eva]) await channel.track({ desk: 'caja' })
  await watcher.track({ desk: 'mesa' })
  await expect.poll(() => seenBy(watcher)).toHaveLength(4)

  await ana.untrack()
  await ines.unsubscribe()
  await eva.socket.disconnect()

  await expect.poll(() => seenBy(watcher)).toEqual(['luis: mesa'])
})

test('another topic hears nothing of it', async () => {
  const [ana, luis] = [await present(randomUUID(), 'ana'), await present(randomUUID(), 'luis')]

  await ana.track({ desk: 'caja 1' })
  await luis.track({ desk: 'mesa' })

  await expect.poll(() => seenBy(luis)).toEqual(['luis: mesa'])
})

test('a presence has room for little, and what is no presence is refused', async () => {
  const topic = `realtime:${randomUUID()}`
  const [first, second] = [await openRawSocket('2.0.0'), await openRawSocket('2.0.0')]
  for (const socket of [first, second]) {
    socket.send({ topic, event: 'phx_join', payload: {}, ref: '1', join_ref: '1' })
    expect((await socket.reply('1')).status).toBe('ok')
  }
  const push = async (ref: string, payload: Record<string, unknown>) => {
    second.send({ topic, event: 'presence', payload, ref, join_ref: '1' })
    return (await second.reply(ref)).status
  }

  expect(await push('2', { event: 'track', payload: { text: 'x'.repeat(realtimePresenceBytesMax) } })).toBe(
    'error',
  )
  expect(await push('3', { event: 'clap' })).toBe('error')
  expect(await push('4', { event: 'track', payload: { text: 'x' } })).toBe('ok')
  for (const socket of [first, second]) socket.close()
})
