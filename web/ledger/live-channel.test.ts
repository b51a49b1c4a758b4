import { QueryClient } from '@tanstack/react-query'
import { createClient } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'

const userId = '7f0c0b52-5f0e-4a9b-9a57-6f1d4f8f7d01'

/** The topic under which a page that was opened anew listens. */
async function topicOfNewPage(): Promise<string | undefined> {
  vi.resetModules()
  const { joinLedgerChannel } = await import('./live-channel.ts')
  const api = createClient('http://127.0.0.1:1', 'key')
  const leave = joinLedgerChannel({
    api,
    client: new QueryClient(),
    userId,
    refresh: { schedule: () => undefined, cancel: () => undefined },
    onJoined: () => undefined,
    onLost: () => undefined,
  })
  const [channel] = api.getChannels()
  leave()
  return channel?.topic
}

// Channels are public: a stranger who knows the topic can send to every page in it.
test('the topic of a page cannot be guessed from the customer’s id', async () => {
  const first = await topicOfNewPage()
  const second = await topicOfNewPage()

  expect(first).toMatch(/^realtime:/)
  expect(second).not.toBe(first)
})
