import type { AuthChangeEvent, Session as AuthSession, User } from '@supabase/supabase-js'
import { startTransition, useCallback, useEffect, useMemo, useReducer, useState, type ReactNode } from 'react'
import { backend, type BackendClient } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import { dismissNews } from '#ui/toast/toast-store.ts'
import type { AuthLink } from './auth-link.ts'
import { forgetLastSeen } from './last-seen.ts'
import { isOpenedForPassword, missingFactors, verifiedFactors } from './second-factor.ts'
import { SessionContext, type DeadLink, type Session } from './session.ts'
import { hasStoredSession as isStored } from './stored.ts'
import { endUnendedSessions } from './unended.ts'

/**
 * Maximum time that the page waits while the client tries to refresh a stored session (docs/specification.md §4).
 * After this time, the page shows the login even if no answer has arrived. The session stays stored, and the client
 * continues to retry. If a refresh succeeds later, its event signs the user in.
 */
const loadingMaxMs = 30_000

type Props = {
  link: AuthLink
  /**
   * Whether storage contains a session. Without a stored session, the page shows the login without waiting for the
   * client to load.
   */
  hasStoredSession: boolean
  /** The stored session, if the page shows the customer before the client has read the session. */
  lastSession: AuthSession | null
  /** Returns whether the code of the signed-in page has been loaded. */
  isSignedInLoaded: () => boolean
  children: ReactNode
}

type Action =
  | { type: 'auth-event'; event: AuthChangeEvent; auth: AuthSession | null }
  | { type: 'recovery-started' }
  | { type: 'recovery-finished' }
  | { type: 'loading-ended' }

/**
 * Provides the client's current session. The client's callback only sets state, because awaiting a call to the client
 * inside it would cause a deadlock.
 */
export function SessionProvider({ link, hasStoredSession, lastSession, isSignedInLoaded, children }: Props) {
  const mustWait = hasStoredSession || link.kind === 'code'
  const [pendingLink, setPendingLink] = useState(
    link.kind === 'token' || link.kind === 'session' ? link : null,
  )
  const [deadLink, setDeadLink] = useState(() => firstDeadLink(link))
  const [session, dispatch] = useReducer(nextSession, lastSession, (first): Session => {
    const unknown: Session = { status: mustWait ? 'loading' : 'signed-out' }
    return first === null
      ? unknown
      : nextSession(unknown, { type: 'auth-event', event: 'INITIAL_SESSION', auth: first })
  })

  const [isCheckingUser, setIsCheckingUser] = useState(hasStoredSession)

  useClientEvents({ mustWait, lastSession, isSignedInLoaded, dispatch, setIsCheckingUser })

  useEffect(endUnendedSessions, [])

  const finishRecovery = useCallback(() => dispatch({ type: 'recovery-finished' }), [])
  const settleLink = useCallback(
    (outcome: 'done' | 'password' | 'dead') => {
      if (outcome === 'password') dispatch({ type: 'recovery-started' })
      if (outcome === 'dead') setDeadLink({ reason: 'used', type: link.kind === 'token' ? link.type : '' })
      setPendingLink(null)
    },
    [link],
  )
  const value = useMemo(
    () => ({ session, deadLink, pendingLink, settleLink, isCheckingUser, finishRecovery }),
    [session, deadLink, pendingLink, settleLink, isCheckingUser, finishRecovery],
  )
  return <SessionContext value={value}>{children}</SessionContext>
}

type Following = Pick<Props, 'lastSession' | 'isSignedInLoaded'> & {
  mustWait: boolean
  dispatch: (action: Action) => void
  setIsCheckingUser: (isChecking: boolean) => void
}

/** Loads the client, and follows its sessions. */
function useClientEvents({
  mustWait,
  lastSession,
  isSignedInLoaded,
  dispatch,
  setIsCheckingUser,
}: Following): void {
  useEffect(() => {
    let hasLeft = false
    let unsubscribe = () => {}
    let wasIn = lastSession !== null
    const loadingTimer = window.setTimeout(() => dispatch({ type: 'loading-ended' }), loadingMaxMs)
    const follow = async () => {
      const client = await backend()
      if (hasLeft) return
      const { data } = client.auth.onAuthStateChange((event: AuthChangeEvent, auth: AuthSession | null) => {
        if (event === 'INITIAL_SESSION' && auth !== null) {
          window.setTimeout(() => void refreshUser(client, auth.user).then(() => setIsCheckingUser(false)))
        } else if (auth === null) setIsCheckingUser(false)
        if (auth !== null) {
          wasIn = true
          forgetLastSeen(auth.user.id)
        } else if (event === 'SIGNED_OUT') {
          forgetLastSeen()
          // SIGNED_OUT can fire twice. A toast that was shown between two SIGNED_OUT events must stay.
          if (wasIn) dismissNews()
          wasIn = false
        }
        // The server did not answer the refresh. The last figures stay on screen until an answer arrives.
        else if (lastSession !== null && isStored()) return
        // The socket was opened for the stored session, which has ended in the meantime.
        if (event === 'INITIAL_SESSION' && auth === null && mustWait) void client.realtime.disconnect()
        const action: Action = { type: 'auth-event', event, auth }
        // A transition keeps the spinner until the first screen can render, and keeps the login until the signed-in
        // page can render. Every other change replaces the content immediately.
        const mustFetch = auth !== null && !isSignedInLoaded()
        if (event === 'INITIAL_SESSION' || mustFetch) startTransition(() => dispatch(action))
        else dispatch(action)
      })
      unsubscribe = () => data.subscription.unsubscribe()
    }
    follow().catch((error: unknown) => {
      logQuietly(error, 'client start')
      dispatch({ type: 'auth-event', event: 'SIGNED_OUT', auth: null })
    })
    return () => {
      hasLeft = true
      window.clearTimeout(loadingTimer)
      unsubscribe()
    }
  }, [mustWait, lastSession, isSignedInLoaded, dispatch, setIsCheckingUser])
}

function firstDeadLink({ kind }: AuthLink): DeadLink | null {
  if (kind === 'elsewhere') return { reason: kind, type: '' }
  return kind === 'failed' ? { reason: 'used', type: '' } : null
}

function nextSession(session: Session, action: Action): Session {
  if (action.type === 'recovery-finished') {
    return session.status === 'recovering' ? { status: 'signed-in', user: session.user } : session
  }
  if (action.type === 'loading-ended') {
    return session.status === 'loading' ? { status: 'signed-out' } : session
  }
  if (action.type === 'recovery-started') {
    if (session.status === 'second-factor') return { ...session, isRecovering: true }
    return session.status === 'signed-in' ? { status: 'recovering', user: session.user } : session
  }
  const { event, auth } = action
  if (auth === null) return session.status === 'signed-out' ? session : { status: 'signed-out' }
  const { user } = auth
  // The client announces the session before it reports that a recovery link created it.
  const isRecovering =
    event === 'PASSWORD_RECOVERY' ||
    session.status === 'recovering' ||
    (session.status === 'second-factor' && session.isRecovering)
  const factors = missingFactors(auth)
  if (factors.length > 0) {
    const isByLink = isRecovering || isOpenedForPassword(auth)
    return { status: 'second-factor', factors, isRecovering: isByLink }
  }
  if (isRecovering) return { status: 'recovering', user }
  // SIGNED_IN fires every time the user returns to the tab, and must not cause another render for the same user.
  if (session.status === 'signed-in' && isSameUser(session.user, user)) return session
  return { status: 'signed-in', user }
}

/**
 * Refreshes the session if the user's data has changed since the session was stored, so that, for example, a new role
 * takes effect immediately.
 */
async function refreshUser(client: BackendClient, known: User): Promise<void> {
  try {
    const { data, error } = await client.auth.getUser()
    if (error === null && !isSameUser(data.user, known)) await client.auth.refreshSession()
  } catch (error) {
    logQuietly(error, 'user check')
  }
}

/** Returns whether the page would show both user objects in the same way. */
function isSameUser(one: User, other: User): boolean {
  return (
    one.id === other.id &&
    one.email === other.email &&
    one.app_metadata['role'] === other.app_metadata['role'] &&
    one.user_metadata['full_name'] === other.user_metadata['full_name'] &&
    verifiedFactors(one).length === verifiedFactors(other).length
  )
}
