// @vitest-environment happy-dom
import { act, configure, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backend } from '#backend/client.ts'
import { clearPage, laura, serve } from '#testing/auth-service.ts'
import { SessionProvider } from './session-provider.tsx'
import { fullNameOf, useSession } from './session.ts'

// A machine that stalls takes longer than the second that Testing Library waits.
configure({ asyncUtilTimeout: 15_000 })

/** The library's own way of announcing an event, as each of its calls ends. */
type Announcer = { _notifyAllSubscribers: (event: string, session: unknown) => Promise<void> }

const sessionOf = (user: typeof laura) => ({ access_token: 'a.b.c', refresh_token: 'r', user })

beforeEach(async () => {
  window.localStorage.clear()
  await serve(() => undefined)
  render(
    <SessionProvider link={{ kind: 'none' }} hasStoredSession>
      <Reader />
    </SessionProvider>,
  )
})

afterEach(clearPage)

test('until the first session is read nobody knows, then nobody is signed in', async () => {
  expect(shown()).toBe('loading')

  await waitFor(() => expect(shown()).toBe('signed-out'))
})

test.each(['INITIAL_SESSION', 'SIGNED_IN', 'TOKEN_REFRESHED', 'USER_UPDATED', 'MFA_CHALLENGE_VERIFIED'])(
  '%s with a session shows its user',
  async (event) => {
    await announce(event, sessionOf(laura))

    expect(shown()).toBe('signed-in Laura')
  },
)

test('PASSWORD_RECOVERY asks for a new password, and what comes after does not skip it', async () => {
  await announce('PASSWORD_RECOVERY', sessionOf(laura))
  await announce('SIGNED_IN', sessionOf(laura))

  expect(shown()).toBe('recovering Laura')
})

test('USER_UPDATED replaces the user that is shown', async () => {
  await announce('SIGNED_IN', sessionOf(laura))
  await announce('USER_UPDATED', sessionOf({ ...laura, user_metadata: { full_name: 'Laura Inés' } }))

  expect(shown()).toBe('signed-in Laura Inés')
})

test('SIGNED_OUT shows nobody', async () => {
  await announce('SIGNED_IN', sessionOf(laura))
  await announce('SIGNED_OUT', null)

  expect(shown()).toBe('signed-out')
})

function Reader() {
  const { session } = useSession()
  return <p>{'user' in session ? `${session.status} ${fullNameOf(session.user)}` : session.status}</p>
}

function shown(): string {
  return screen.getByRole('paragraph').textContent ?? ''
}

async function announce(event: string, session: unknown): Promise<void> {
  await waitFor(() => expect(shown()).not.toBe('loading'))
  const { auth } = await backend()
  await act(() => (auth as unknown as Announcer)._notifyAllSubscribers(event, session))
}
