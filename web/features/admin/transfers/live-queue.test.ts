// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backend } from '#backend/client.ts'
import { clearPage, serve } from '#testing/page.ts'
import { followRequests } from './live-queue.ts'
import { rereadMs } from './requests.ts'

/** The channels that the page joined, as the page sees them. */
let channels: { status: (status: string) => void }[]
let left: number
let stop: () => void

beforeEach(async () => {
  channels = []
  left = 0
  await serve(() => undefined)
  const api = await backend()
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.spyOn(api.realtime, 'setAuth').mockResolvedValue()
  vi.spyOn(api, 'channel').mockImplementation(() => openChannel() as never)
  vi.spyOn(api, 'removeChannel').mockImplementation(async () => {
    left += 1
    return 'ok'
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  stop()
  clearPage()
  vi.restoreAllMocks()
})

test('a first join that fails is tried again', async () => {
  const { realtime } = await backend()
  vi.mocked(realtime.setAuth).mockRejectedValueOnce(new Error('offline'))
  await follow()
  expect(channels).toHaveLength(0)

  await pass(rereadMs)
  expect(channels).toHaveLength(1)
})

test('a lost channel is left at once and joined again later', async () => {
  await follow()
  channels[0]?.status('CHANNEL_ERROR')
  channels[0]?.status('CLOSED')
  expect(left).toBe(1)
  expect(channels).toHaveLength(1)

  await pass(rereadMs)
  expect(channels).toHaveLength(2)
  expect(left).toBe(1)
})

async function follow() {
  stop = followRequests(new QueryClient())
  await pass(0)
}

function openChannel() {
  const channel = {
    on: () => channel,
    subscribe(status: (status: string) => void) {
      channels.push({ status })
      return channel
    },
  }
  return channel
}

/** Advances the clock and lets pending promises settle. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}
