// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearPage, expiredSession, laura, serve, sessionKey } from '#testing/auth-service.ts'
import { SessionProvider } from './session-provider.tsx'
import { isAdministrator, useSession } from './session.ts'

/** The specification's own figure for how long a refresh is retried. */
const retriedMs = 30_000
/** The client keeps a failed refresh for a minute before it tries again. */
const healedMs = 100_000
const stepMs = 500

let stored: ReturnType<typeof expiredSession>
let answerRefresh: () => Response | Promise<Response>
let answerUser: () => Response

beforeEach(async () => {
  // Loaded before the clock stands still, or time would pass before the client is there.
  await import('@supabase/supabase-js')
  vi.useFakeTimers()
  stored = expiredSession()
  window.localStorage.setItem(sessionKey, JSON.stringify(stored))
  answerUser = () => Response.json(laura)
  await serve((path) => {
    if (path.endsWith('/token')) return answerRefresh()
    return path.endsWith('/user') ? answerUser() : undefined
  })
})

afterEach(clearPage)

test('a session whose refresh is refused for half a minute gives way to the login, and goes in by itself when one succeeds', async () => {
  answerRefresh = () => Response.json({ code: 'unavailable' }, { status: 503 })
  open()
  await wait(10_000)
  expect(shown()).toBe('loading')
  await wait(retriedMs - 10_000)
  expect(shown()).toBe('signed-out')
  expect(window.localStorage.getItem(sessionKey)).toContain(stored.refresh_token)

  answerRefresh = () => Response.json(freshSession())
  await wait(healedMs)

  expect(shown()).toBe('signed-in')
})

test('a customer who was made an administrator is one when the page is opened again', async () => {
  window.localStorage.setItem(sessionKey, JSON.stringify(freshSession()))
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
  return { ...stored, expires_at: Math.floor(Date.now() / 1000) + 3600 }
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
