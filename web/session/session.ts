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
  /** The password was correct, but a second factor is still missing. */
  | { status: 'second-factor'; factors: readonly SecondFactor[]; isRecovering: boolean }
  /** Signed in by a recovery link: the user must choose a new password first. */
  | { status: 'recovering'; user: User }
  | { status: 'signed-in'; user: User }

type SessionContextValue = {
  session: Session
  /** The reason why a mailed link failed: it is no longer valid, or another browser requested it. */
  deadLink: 'failed' | 'elsewhere' | null
  /** A mailed link that the user must decide about before anything else is shown. */
  pendingLink: PendingLink | null
  /**
   * Reports the outcome of the link. After `password` the user chooses a new password, and after `dead` the login
   * explains what to do.
   */
  settleLink: (outcome: 'done' | 'password' | 'dead') => void
  /** True until the server has returned the current user, whose role may have changed since the session was stored. */
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

/** Returns the signed-in user. Only components that `App` renders for a signed-in user may call this hook. */
export function useUser(): User {
  const { session } = useSession()
  if (session.status !== 'signed-in') throw new Error('useUser needs a signed-in user')
  return session.user
}

/** Returns whether the user is an administrator, for display only: the database decides what they may do. */
export function isAdministrator(user: User): boolean {
  return user.app_metadata['role'] === 'admin'
}

export function fullNameOf(user: User): string {
  const name: unknown = user.user_metadata['full_name']
  return typeof name === 'string' ? name.trim() : ''
}

/**
 * Ends all sessions of the user. Throws the auth surface's refusal. Without a connection it clears this device at once,
 * and ends this device's session at the next connection.
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
  // Done before the client's own sign-out, which would first try to refresh an old token.
  forgetSession()
  await callAuth((auth) => auth.signOut({ scope: 'local' }))
}

/** Returns true if no server answered. */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'AuthRetryableFetchError' &&
    'status' in error &&
    error.status === 0
  )
}
