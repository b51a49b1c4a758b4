// @vitest-environment happy-dom
/** Planted fault: a start without a session counts as signed out, whatever is in storage. */
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadConfiguration } from '#backend/configuration.ts'
import { useSession } from './session.ts'
import { SessionProvider } from './session-provider.tsx'

/** The client tries a refresh for half a minute, twice before it says that there is no session. */
const clientGivesUpMs = 80_000
const stepMs = 500
const storageKey = 'sb-banco-auth-token'

const laura = {
  id: 'u1',
  aud: 'authenticated',
  email: 'laura@ejemplo.co',
  app_metadata: {},
  user_metadata: {},
}
const session = {
  access_token: 'a.b.c',
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3600,
  user: laura,
}

let answerRefresh: () => Response

beforeEach(async () => {
  // Loaded before the clock stands still, or time would pass before the client is there.
  await import('@supabase/supabase-js')
  vi.useFakeTimers()
  window.localStorage.setItem(storageKey, JSON.stringify({ ...session, expires_at: 1 }))
  vi.stubGlobal('fetch', async (address: unknown) =>
    String(address).includes('/token')
      ? answerRefresh()
      : Response.json({ supabaseUrl: 'http://banco.test', anonKey: 'anon', brandName: 'Banco' }),
  )
  await loadConfiguration()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  window.localStorage.clear()
})

test('a session that cannot be refreshed is waited for, not taken for none', async () => {
  answerRefresh = () => Response.json({ code: 'unavailable' }, { status: 503 })
  render(
    <SessionProvider link={{ kind: 'none' }} hasStoredSession>
      <Reader />
    </SessionProvider>,
  )

  await wait(clientGivesUpMs)
  expect(shown()).toBe('loading')

  answerRefresh = () => Response.json({ ...session, expires_at: Math.floor(Date.now() / 1000) + 3600 })
  await wait(clientGivesUpMs)
  expect(shown()).toBe('signed-in')
})

function Reader() {
  return <p>{useSession().session.status}</p>
}

function shown(): string {
  return screen.getByRole('paragraph').textContent ?? ''
}

async function wait(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
    await act(() => vi.advanceTimersByTimeAsync(stepMs))
  }
}
