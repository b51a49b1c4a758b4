import type { User } from '@supabase/supabase-js'
import { createContext, use } from 'react'
import { callAuth } from '#api/client.ts'
import type { PendingLink } from './auth-link.ts'
import { forgetLastSeen } from './last-seen.ts'
import type { SecondFactor } from './second-factor.ts'
import { forgetAskedLink, forgetSession, storedSession } from './stored.ts'
import { noteUnended } from './unended.ts'

export type Session =
  | { status: 'loading' }
  | { status: 'signed-out' }
  /** The password was correct, but the user must still provide a second factor. */
  | { status: 'second-factor'; factors: readonly SecondFactor[]; isRecovering: boolean }
  /** The user signed in with a recovery link and must choose a new password first. */
  | { status: 'recovering'; user: User }
  | { status: 'signed-in'; user: User }

/**
 * A link that failed: another browser requested it (`elsewhere`), or it is no longer valid. `type` is empty if the
 * browser does not know the type of the link.
 */
export type DeadLink = { reason: 'elsewhere' | 'used'; type: string }

type SessionContextValue = {
  session: Session
  /** The reason why a mailed link failed, or `null` if no link failed. */
  deadLink: DeadLink | null
  /** A mailed link that the user must accept or discard before the page shows anything else. */
  pendingLink: PendingLink | null
  /**
   * Reports the outcome of the pending link. After the outcome `password`, the user must choose a new password. After
   * the outcome `dead`, the login explains how to continue.
   */
  settleLink: (outcome: 'done' | 'password' | 'dead') => void
  /** True until the server has returned the current user, whose role may have changed since the session was stored. */
  isCheckingUser: boolean
  /** Ends the status `recovering` after the new password has been saved. */
  finishRecovery: () => void
}

export const SessionContext = createContext<SessionContextValue | null>(null)

export function useSession(): SessionContextValue {
  const value = use(SessionContext)
  if (value === null) throw new Error('useSession needs a SessionProvider above it')
  return value
}

/** Returns the signed-in user. Only components that `App` renders for a signed-in user may call this hook. */
export function useUser(): User {
  const { session } = useSession()
  if (session.status !== 'signed-in') throw new Error('useUser needs a signed-in user')
  return session.user
}

/**
 * Returns whether the user is an administrator. The result is only for display, because the database authorizes every
 * action.
 */
export function isAdministrator(user: User): boolean {
  return user.app_metadata['role'] === 'admin'
}

export function fullNameOf(user: User): string {
  const name: unknown = user.user_metadata['full_name']
  return typeof name === 'string' ? name.trim() : ''
}

/**
 * Ends all of the user's sessions. Throws the auth service's error if the service refuses the request. If no server
 * answers, removes the session from this device immediately, and ends this one session at the server when the device is
 * online again.
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
  // Removes the session before the client's own sign-out, which would otherwise try to refresh an expired token first.
  forgetSession()
  await callAuth((auth) => auth.signOut({ scope: 'local' }))
}

/** Returns whether the request failed because no server answered. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'AuthRetryableFetchError' &&
    'status' in error &&
    error.status === 0
  )
}
