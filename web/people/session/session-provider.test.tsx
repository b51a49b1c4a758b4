import type { Session as AuthSession } from '@supabase/supabase-js'
import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { backend } from '#api/client.ts'
import { expiredSession, laura, serve, sessionKey } from '#testing/page.ts'
import { showFailure, showToast } from '#ui/toast/toast-store.ts'
import { Toaster } from '#ui/toast/toaster.tsx'
import { SessionProvider } from './session-provider.tsx'
import { fullNameOf, isAdministrator, useSession } from './session.ts'

/** Time for which a refresh is retried, as the specification requires. */
const retriedMs = 30_000
/**
 * Time after which the client has certainly retried. The client remembers a failed refresh for a minute and does not
 * retry before.
 */
const healedMs = 100_000
const stepMs = 500

let stored: ReturnType<typeof expiredSession>
let answerRefresh: () => Response | Promise<Response>
let answerUser: () => Response | Promise<Response>

beforeEach(async () => {
  // Loads the client before the clock is faked, because loading takes real time.
  await import('@supabase/supabase-js')
  vi.useFakeTimers()
  stored = expiredSession()
  answerUser = () => Response.json(laura)
  await serve((path) => {
    if (path.endsWith('/token')) return answerRefresh()
    return path.endsWith('/user') ? answerUser() : undefined
  })
})

// This test must run first, because all tests share the client, which starts its refresh timer on this test's fake
// clock.
test('the login appears after half a minute of refused refreshes, and stays until a refresh succeeds', async () => {
  answerRefresh = () => Response.json({ code: 'unavailable' }, { status: 503 })
  open(stored)
  await wait(10_000)
  expect(shown()).toBe('loading')
  await wait(retriedMs - 10_000)
  expect(shown()).toBe('signed-out')
  expect(window.localStorage.getItem(sessionKey)).toContain(stored.refresh_token)

  answerRefresh = () => Response.json(freshSession())
  await wait(healedMs)

  expect(shown()).toBe('signed-in Laura')
})

test('the user is unknown until the first session is read', async () => {
  open(null)
  expect(shown()).toBe('loading')

  await wait(stepMs)

  expect(shown()).toBe('signed-out')
})

test.each(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'MFA_CHALLENGE_VERIFIED'])(
  'after the event %s with a session, the page shows the user of the session',
  async (event) => {
    open(null)
    await announce(event, sessionOf(laura))

    expect(shown()).toBe('signed-in Laura')
  },
)

test('after the event PASSWORD_RECOVERY, the user must choose a new password first', async () => {
  open(null)
  await announce('PASSWORD_RECOVERY', sessionOf(laura))
  await announce('SIGNED_IN', sessionOf(laura))

  expect(shown()).toBe('recovering Laura')
})

test('the event USER_UPDATED replaces the displayed user', async () => {
  open(null)
  await announce('SIGNED_IN', sessionOf(laura))
  await announce('USER_UPDATED', sessionOf({ ...laura, user_metadata: { full_name: 'Laura Inés' } }))

  expect(shown()).toBe('signed-in Laura Inés')
})

test('SIGNED_OUT removes the user', async () => {
  open(null)
  await announce('SIGNED_IN', sessionOf(laura))
  await announce('SIGNED_OUT', null)

  expect(shown()).toBe('signed-out')
})

test('a sign-out closes success toasts, but keeps failure toasts and later toasts open', async () => {
  open(null)
  await announce('SIGNED_IN', sessionOf(laura))
  say(showToast, 'Gasto añadido')
  await announce('SIGNED_OUT', null)
  expect(toasts()).toBe('')

  say(showToast, 'Cuenta eliminada')
  await announce('SIGNED_OUT', null)
  expect(toasts()).toBe('Cuenta eliminada')

  await announce('SIGNED_IN', sessionOf(laura))
  say(showFailure, 'No se pudo añadir')
  await announce('SIGNED_OUT', null)
  expect(toasts()).toBe('No se pudo añadir')
})

test('a new administrator’s role takes effect at the next start of the page', async () => {
  const promoted = { ...laura, app_metadata: { role: 'admin' } }
  answerUser = () => Response.json(promoted)
  answerRefresh = () => Response.json({ ...freshSession(), user: promoted })

  open(freshSession())
  await wait(stepMs)

  expect(shown()).toBe('signed-in Laura admin')
})

test('an event that arrives during the check of the user does not end the check', async () => {
  const { promise: asked, resolve: answer } = Promise.withResolvers<Response>()
  answerUser = () => asked
  open(freshSession())
  await announce('SIGNED_IN', sessionOf(laura))
  expect(isChecking()).toBe(true)

  answer(Response.json(laura))
  await wait(stepMs)

  expect(isChecking()).toBe(false)
})

test('an offline start shows the customer of the stored session even after the client gives up', async () => {
  answerRefresh = () => Promise.reject(new TypeError('Failed to fetch'))
  open(stored, stored)
  expect(shown()).toBe('signed-in Laura')

  await wait(2 * retriedMs)

  expect(shown()).toBe('signed-in Laura')
  expect(window.localStorage.getItem(sessionKey)).toContain(stored.refresh_token)
})

test('stored results are deleted when the session was ended elsewhere', async () => {
  window.localStorage.setItem('finanzas-last-seen', '{"userId":"u1","readings":[]}')
  answerRefresh = () => Response.json({ code: 'refresh_token_not_found' }, { status: 400 })
  open(stored, stored)
  await wait(2 * stepMs)

  expect(shown()).toBe('signed-out')
  expect(window.localStorage).toHaveLength(0)
})

// This test must run last, because all tests share the client, which then waits for an answer forever.
test('the login also appears if a refresh is never answered', async () => {
  answerRefresh = () => new Promise<Response>(() => {})
  open(stored)
  await wait(10_000)
  expect(shown()).toBe('loading')

  await wait(retriedMs - 10_000)

  expect(shown()).toBe('signed-out')
})

function open(session: object | null, lastSession: object | null = null) {
  if (session !== null) window.localStorage.setItem(sessionKey, JSON.stringify(session))
  render(
    <SessionProvider
      link={{ kind: 'none' }}
      hasStoredSession
      lastSession={lastSession as AuthSession | null}
      isSignedInLoaded={() => true}
    >
      <Reader />
      <Toaster />
    </SessionProvider>,
  )
}

function sessionOf(user: typeof laura) {
  return { access_token: 'a.b.c', refresh_token: 'r', user }
}

function freshSession() {
  return { ...stored, expires_at: Math.floor(Date.now() / 1000) + 3600 }
}

function Reader() {
  const { session: read, isCheckingUser } = useSession()
  if (!('user' in read)) return <p>{read.status}</p>
  const role = isAdministrator(read.user) ? ' admin' : ''
  return <p aria-busy={isCheckingUser}>{`${read.status} ${fullNameOf(read.user)}${role}`}</p>
}

function say(show: (message: { title: string }) => void, title: string): void {
  act(() => show({ title }))
}

const toasts = () => screen.getByRole('region').textContent

function shown(): string {
  return screen.getAllByRole('paragraph')[0]?.textContent ?? ''
}

function isChecking(): boolean {
  return screen.getAllByRole('paragraph')[0]?.getAttribute('aria-busy') === 'true'
}

/** Internal method with which supabase-js announces an event at the end of each of its calls. */
type Announcer = { _notifyAllSubscribers: (event: string, session: unknown) => Promise<void> }

async function announce(event: string, session: unknown): Promise<void> {
  await wait(stepMs)
  const { auth } = await backend()
  await act(() => (auth as unknown as Announcer)._notifyAllSubscribers(event, session))
}

async function wait(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
    await act(() => vi.advanceTimersByTimeAsync(stepMs))
  }
}
