import type { User } from '@supabase/supabase-js'
import { createContext, use } from 'react'
import { callAuth } from '#backend/client.ts'
import type { PendingLink } from './auth-link.ts'
import { forgetLastSeen } from './last-seen.ts'
import type { SecondFactor } from './second-factor.ts'
import { forgetAskedLink, forgetSession, storedSession } from './stored.ts'
import { noteUnended } from './unended.ts'

export type Session =
  | { status: 'loading' }
  | { status: 'signed-out' }
  /** The password was right, and one of the account's second factors is missing. */
  | { status: 'second-factor'; factors: readonly SecondFactor[]; isRecovering: boolean }
  /** Signed in by a recovery link: a new password comes first. */
  | { status: 'recovering'; user: User }
  | { status: 'signed-in'; user: User }

type SessionContextValue = {
  session: Session
  /** The reason why a mailed link failed: it is no longer valid, or another browser requested it. */
  deadLink: 'failed' | 'elsewhere' | null
  /** A mail's link that waits for an answer, before anything else is shown. */
  pendingLink: PendingLink | null
  /** The link was answered: after `password` one is chosen first, after `dead` the login says what to do. */
  settleLink: (outcome: 'done' | 'password' | 'dead') => void
  /** Whether the server still has to say who the stored session's user is now: a role may have been given since. */
  isCheckingUser: boolean
  /** Leaves `recovering` once the new password is saved. */
  finishRecovery: () => void
}

export const SessionContext = createContext<SessionContextValue | null>(null)

export function useSession(): SessionContextValue {
  const value = use(SessionContext)
  if (value === null) throw new Error('useSession needs a SessionProvider above it')
  return value
}

/** The signed-in user; only below the gate of `App`. */
export function useUser(): User {
  const { session } = useSession()
  if (session.status !== 'signed-in') throw new Error('useUser needs a signed-in user')
  return session.user
}

/** For display; the database decides what an administrator may do. */
export function isAdministrator(user: User): boolean {
  return user.app_metadata['role'] === 'admin'
}

export function fullNameOf(user: User): string {
  const name: unknown = user.user_metadata['full_name']
  return typeof name === 'string' ? name.trim() : ''
}

/**
 * Ends every session of the user, everywhere; throws the auth surface's refusal. Without a connection it empties this
 * device at once, and the device's session ends at the server with the next connection.
 */
export async function signOut(): Promise<void> {
  forgetAskedLink()
  forgetLastSeen()
  const left = storedSession()
  if (navigator.onLine) {
    try {
      await callAuth((auth) => auth.signOut())
      return
    } catch (error) {
      if (!isUnanswered(error)) throw error
    }
  }
  if (left !== null) noteUnended(left.refresh_token)
  // Before the client, which would first try to renew an old token.
  forgetSession()
  await callAuth((auth) => auth.signOut({ scope: 'local' }))
}

/** Whether no server has answered. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'AuthRetryableFetchError' &&
    'status' in error &&
    error.status === 0
  )
}
