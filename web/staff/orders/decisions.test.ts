// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { createQueryClient } from '#testing/render-part.tsx'
import { decideRequests } from './decisions.ts'
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
  const requests = [{ id: 'a' }, { id: 'b' }] as Queued[]
  client.setQueryData(waitingQuery.queryKey, { requests, total: 120 })
  await decideRequests(client, { ids: ['a', 'gone'], approves: true })

  expect(client.getQueryData(waitingQuery.queryKey)).toEqual({ requests: [{ id: 'b' }], total: 119 })
})

test('after a lost answer, the page reads the queue again', async () => {
  await serve(() => Response.json({}, { status: 503 }))
  const client = createQueryClient()
  client.setQueryData(waitingQuery.queryKey, { requests: [], total: 0 })
  await expect(decideRequests(client, { ids: ['a'], approves: true })).rejects.toThrow()

  expect(client.getQueryState(waitingQuery.queryKey)?.isInvalidated).toBe(true)
})
