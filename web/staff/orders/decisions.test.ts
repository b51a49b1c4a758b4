// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { createQueryClient } from '#testing/render-part.tsx'
import { decideRequests } from './decisions.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { waitingQuery, type Queued } from './requests.ts'

afterEach(clearPage)

test('the number of waiting transfers decreases only for decided transfers that the list still contains', async () => {
  await serve((path) =>
    path === '/rest/v1/rpc/decide_requests'
      ? Response.json([
          { id: 'a', status: 'done' },
          { id: 'gone', status: 'cancelled' },
        ])
      : undefined,
  )
  const client = createQueryClient()
  const [a, b] = [
    { id: 'a', amountMinor: 30 as MinorUnits },
    { id: 'b', amountMinor: 50 as MinorUnits },
  ] as [Queued, Queued]
  const firstExpiresAt = '2026-11-30T12:00:00Z'
  const queue = { requests: [a, b], total: 120, sumMinor: 900 as MinorUnits, firstExpiresAt }
  client.setQueryData(waitingQuery.queryKey, queue)
  await decideRequests(client, { ids: ['a', 'gone'], approves: true })

  expect(client.getQueryData(waitingQuery.queryKey)).toEqual({
    requests: [b],
    total: 119,
    sumMinor: 870,
    firstExpiresAt,
  })
})

test('after a lost answer, the page reads the queue again', async () => {
  await serve(() => Response.json({}, { status: 503 }))
  const client = createQueryClient()
  client.setQueryData(waitingQuery.queryKey, {
    requests: [],
    total: 0,
    sumMinor: 0 as MinorUnits,
    firstExpiresAt: null,
  })
  await expect(decideRequests(client, { ids: ['a'], approves: true })).rejects.toThrow()

  expect(client.getQueryState(waitingQuery.queryKey)?.isInvalidated).toBe(true)
})
