// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadConfiguration } from '#backend/configuration.ts'
import { isAdministrator, useSession } from './session.ts'
import { SessionProvider } from './session-provider.tsx'

/** The specification's own figure for how long a refresh is retried. */
const retriedMs = 30_000
/** The client keeps a failed refresh for a minute before it tries again. */
const healedMs = 100_000
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
  token_type: 'bearer',
  expires_in: 3600,
  user: laura,
}

/** One for each test: the client remembers a minute long which one was refused. */
let refreshToken = ''
let answerRefresh: () => Response | Promise<Response>
let answerUser: () => Response

beforeEach(async () => {
  // Loaded before the clock stands still, or time would pass before the client is there.
  await import('@supabase/supabase-js')
  vi.useFakeTimers()
  refreshToken = crypto.randomUUID()
  window.localStorage.setItem(
    storageKey,
    JSON.stringify({ ...session, refresh_token: refreshToken, expires_at: 1 }),
  )
  answerUser = () => Response.json(laura)
  vi.stubGlobal('fetch', async (address: unknown) => {
    if (String(address).includes('/token')) return answerRefresh()
    if (String(address).endsWith('/user')) return answerUser()
    return Response.json({ supabaseUrl: 'http://banco.test', anonKey: 'anon', brandName: 'Banco' })
  })
  await loadConfiguration()
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  window.localStorage.clear()
})

test('a session whose refresh is refused for half a minute gives way to the login, and goes in by itself when one succeeds', async () => {
  answerRefresh = () => Response.json({ code: 'unavailable' }, { status: 503 })
  open()
  await wait(10_000)
  expect(shown()).toBe('loading')
  await wait(retriedMs - 10_000)
  expect(shown()).toBe('signed-out')
  expect(window.localStorage.getItem(storageKey)).toContain(refreshToken)

  answerRefresh = () => Response.json(freshSession())
  await wait(healedMs)

  expect(shown()).toBe('signed-in')
})

test('a customer who was made an administrator is one when the page is opened again', async () => {
  window.localStorage.setItem(storageKey, JSON.stringify(freshSession()))
  const promoted = { ...laura, app_metadata: { role: 'admin' } }
  answerUser = () => Response.json(promoted)
  answerRefresh = () => Response.json({ ...freshSession(), user: promoted })

  open()
  await wait(stepMs)

  expect(shown()).toBe('signed-in admin')
})

// The last one: the client of all these tests waits for its answer for ever.
test('a refresh that is never answered gives way to the login too', async () => {
  answerRefresh = () => new Promise<Response>(() => {})
  open()
  await wait(10_000)
  expect(shown()).toBe('loading')

  await wait(retriedMs - 10_000)

  expect(shown()).toBe('signed-out')
})

function open() {
  render(
    <SessionProvider link={{ kind: 'none' }} hasStoredSession>
      <Reader />
    </SessionProvider>,
  )
}

function freshSession() {
  return { ...session, refresh_token: refreshToken, expires_at: Math.floor(Date.now() / 1000) + 3600 }
}

function Reader() {
  const { session: read } = useSession()
  return <p>{'user' in read && isAdministrator(read.user) ? `${read.status} admin` : read.status}</p>
}

function shown(): string {
  return screen.getByRole('paragraph').textContent ?? ''
}

async function wait(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
    await act(() => vi.advanceTimersByTimeAsync(stepMs))
  }
}
