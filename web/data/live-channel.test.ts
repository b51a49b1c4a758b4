import { createClient, type RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Transaction } from '@finanzas/contract/wire/rows.ts'
import { transactionRow } from '#testing/transaction-row.ts'
import type { History } from './history.ts'
import { applyChange } from './live-channel.ts'
import { dataKeys } from './queries.ts'

const earlier = transactionRow({ description: 'Antes', date: '2026-11-20T15:00:00+00:00' })
const later = transactionRow({ description: 'Ahora', date: '2026-11-21T15:00:00+00:00' })

test('the list follows rows that are inserted, changed or deleted elsewhere', () => {
  const client = clientWith([earlier])

  expect(applyChange(client, 'u', change({ eventType: 'INSERT', new: later }))).toBe('summary')
  expect(descriptions(client)).toEqual(['Ahora', 'Antes'])
  const renamed = { ...earlier, description: 'Mucho antes' }
  expect(applyChange(client, 'u', change({ eventType: 'UPDATE', new: renamed }))).toBe('summary')
  expect(descriptions(client)).toEqual(['Ahora', 'Mucho antes'])
  expect(applyChange(client, 'u', change({ eventType: 'DELETE', old: { id: later.id } }))).toBe('summary')
  expect(descriptions(client)).toEqual(['Mucho antes'])
})

test('if an event does not contain the changed values, the page reads the list again', () => {
  const client = clientWith([earlier])
  const incomplete = [
    change({ eventType: 'INSERT', new: {} }),
    change({ eventType: 'DELETE', old: {} }),
    ...Object.keys(later).map((column) =>
      change({ eventType: 'INSERT', new: { ...later, [column]: undefined } }),
    ),
  ]

  for (const announced of incomplete) {
    expect(applyChange(client, 'u', announced), JSON.stringify(announced)).toBe('everything')
  }
  expect(descriptions(client)).toEqual(['Antes'])
})

// Channels are public: anyone who knows the topic can send to every page in the channel.
test('the topic of a page cannot be derived from the customer’s id', async () => {
  const [first, second] = [await openPage(), await openPage()]

  expect(first.channel?.topic).toMatch(/^realtime:/)
  expect(second.channel?.topic).not.toBe(first.channel?.topic)
})

test('a page receives changes of transfers and beneficiaries only if the bank has enabled transfers', async () => {
  const tablesOf = async (hasTransfers: boolean) => {
    const { channel } = await openPage({ hasTransfers })
    return channel?.bindings['postgres_changes']?.map(({ filter }) => filter['table'])
  }

  const tables = await tablesOf(false)
  expect(tables).toContain('transactions')
  expect(await tablesOf(true)).toEqual([...(tables ?? []), 'requests', 'beneficiaries'])
})

test('the loss of a channel is reported only once', async () => {
  const { channel, onLost } = await openPage()

  await channel?.unsubscribe()

  expect(onLost.mock.calls).toEqual([['CLOSED']])
})

/** Opens a new page, and returns the channel on which the page listens. */
async function openPage({ hasTransfers } = { hasTransfers: false }) {
  vi.resetModules()
  const { joinDataChannel } = await import('./live-channel.ts')
  // A socket that neither opens nor fails.
  const transport = class extends EventTarget {
    readonly readyState = 0
    close() {}
  } as unknown as typeof WebSocket
  const api = createClient('http://127.0.0.1:1', 'key', { realtime: { transport } })
  const onLost = vi.fn()
  const leave = joinDataChannel({
    api,
    client: new QueryClient(),
    userId: crypto.randomUUID(),
    hasTransfers,
    onListening: () => undefined,
    onLost,
  })
  onTestFinished(leave)
  return { channel: api.getChannels()[0], onLost }
}

function change(part: object) {
  return part as RealtimePostgresChangesPayload<Transaction>
}

function clientWith(rows: Transaction[]): QueryClient {
  const client = new QueryClient()
  const history: History = { pages: [rows], isComplete: true, changes: null }
  client.setQueryData(dataKeys.history('u'), history)
  return client
}

function descriptions(client: QueryClient): string[] | undefined {
  return client
    .getQueryData<History>(dataKeys.history('u'))
    ?.pages.flat()
    .map(({ description }) => description)
}
