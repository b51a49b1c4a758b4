// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backend } from '#backend/client.ts'
import { clearPage, serve } from '#testing/page.ts'
import { followRequests } from './live-queue.ts'
import { decidedQuery, rereadMs, waitingQuery, type Request, type Transfer } from './requests.ts'

type Change = { new: Partial<Request> }

/** The channels that the page joined, as the page sees them. */
let channels: { change: (change: Change) => void; status: (status: string) => void }[]
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
  vi.spyOn((await backend()).realtime, 'setAuth').mockRejectedValueOnce(new Error('offline'))
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

test.each([
  ['a new transfer that waits', { id: 'new', status: 'waiting' }, true],
  ['a decision about a listed transfer', { id: 'listed', status: 'done' }, true],
  ['a small transfer that never waited', { id: 'small', status: 'done' }, false],
  ['a change without values', {}, true],
])('%s makes the page read the waiting transfers only if they change', async (_, row, isRead) => {
  const { isStale } = await follow()
  channels[0]?.change({ new: row as Partial<Request> })
  await pass(120)

  expect(isStale()).toEqual({ waiting: isRead, decided: true })
})

test('a decision about a transfer that the list leaves out changes the number of waiting transfers', async () => {
  const { isStale } = await follow({ total: 120 })
  channels[0]?.change({ new: { id: 'left out', status: 'done' } })
  await pass(120)

  expect(isStale().waiting).toBe(true)
})

test('a change during a read makes the page read the waiting transfers again', async () => {
  const { client, isStale } = await follow()
  void client.prefetchQuery({ ...waitingQuery, queryFn: () => new Promise<never>(() => {}) })
  channels[0]?.change({ new: { id: 'small', status: 'done' } })
  await pass(120)

  expect(isStale().waiting).toBe(true)
})

test('many changes make the page read the queue at most once in two seconds', async () => {
  const { readings } = await follow()
  for (let passedMs = 0; passedMs < 4000; passedMs += 100) {
    channels[0]?.change({ new: { id: 'new', status: 'waiting' } })
    await pass(100)
  }

  expect(readings()).toBe(2)
})

async function follow({ total } = { total: 1 }) {
  const client = new QueryClient()
  client.setQueryData(waitingQuery.queryKey, { transfers: [{ id: 'listed' } as Transfer], total })
  client.setQueryData(decidedQuery(null).queryKey, { pages: [], pageParams: [] })
  const invalidate = vi.spyOn(client, 'invalidateQueries')
  stop = followRequests(client)
  await pass(0)
  const isInvalidated = (key: readonly unknown[]) => client.getQueryState(key)?.isInvalidated
  return {
    client,
    isStale: () => ({
      waiting: isInvalidated(waitingQuery.queryKey),
      decided: isInvalidated(decidedQuery(null).queryKey),
    }),
    readings: () => invalidate.mock.calls.length,
  }
}

function openChannel() {
  const handlers = new Map<string, (change: Change) => void>()
  const channel = {
    on(type: string, _: object, handle: (change: Change) => void) {
      handlers.set(type, handle)
      return channel
    },
    subscribe(status: (status: string) => void) {
      channels.push({ change: (change) => handlers.get('postgres_changes')?.(change), status })
      return channel
    },
  }
  return channel
}

/** Advances the clock and lets pending promises settle. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}
