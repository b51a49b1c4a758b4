import type { AuthChangeEvent, Session as AuthSession, User } from '@supabase/supabase-js'
import { useCallback, useEffect, useMemo, useReducer, type ReactNode } from 'react'
import { backend } from '#backend/client.ts'
import { logQuietly } from '#backend/log-quietly.ts'
import type { AuthLink } from './auth-link.ts'
import { SessionContext, type Session } from './session.ts'

type Props = {
  link: AuthLink
  /** Whether a session was found in storage; without one nobody has to wait for the client. */
  hasStoredSession: boolean
  children: ReactNode
}

type Action =
  | { type: 'auth-event'; event: AuthChangeEvent; user: User | null; link: AuthLink }
  | { type: 'recovery-finished' }

/** Follows the client's session. Its callback only sets state: a call awaited inside would wait for itself. */
export function SessionProvider({ link, hasStoredSession, children }: Props) {
  const mustWait = hasStoredSession || link === 'signed-in' || link === 'recovery'
  const [session, dispatch] = useReducer(nextSession, { status: mustWait ? 'loading' : 'signed-out' })

  useEffect(() => {
    let hasLeft = false
    let unsubscribe = () => {}
    const follow = async () => {
      const client = await backend()
      if (hasLeft) return
      const { data } = client.auth.onAuthStateChange((event: AuthChangeEvent, auth: AuthSession | null) => {
        dispatch({ type: 'auth-event', event, user: auth?.user ?? null, link })
      })
      unsubscribe = () => data.subscription.unsubscribe()
    }
    follow().catch((error: unknown) => {
      logQuietly(error, 'client start')
      dispatch({ type: 'auth-event', event: 'SIGNED_OUT', user: null, link })
    })
    return () => {
      hasLeft = true
      unsubscribe()
    }
  }, [link])

  const finishRecovery = useCallback(() => dispatch({ type: 'recovery-finished' }), [])
  const value = useMemo(
    () => ({ session, hasFailedLink: link === 'failed', finishRecovery }),
    [session, link, finishRecovery],
  )
  return <SessionContext value={value}>{children}</SessionContext>
}

function nextSession(session: Session, action: Action): Session {
  if (action.type === 'recovery-finished') {
    return session.status === 'recovering' ? { status: 'signed-in', user: session.user } : session
  }
  const { event, user, link } = action
  if (user === null) return session.status === 'signed-out' ? session : { status: 'signed-out' }
  // The client announces the session before it says that a recovery link made it.
  const opensRecovery = link === 'recovery' && session.status === 'loading'
  if (event === 'PASSWORD_RECOVERY' || opensRecovery) return { status: 'recovering', user }
  if (session.status === 'recovering') return { status: 'recovering', user }
  // SIGNED_IN comes again at every return to the tab; the same user must not redraw the page.
  if (session.status === 'signed-in' && isSameUser(session.user, user)) return session
  return { status: 'signed-in', user }
}

function isSameUser(one: User, other: User): boolean {
  return (
    one.id === other.id &&
    one.email === other.email &&
    one.app_metadata['role'] === other.app_metadata['role'] &&
    one.user_metadata['full_name'] === other.user_metadata['full_name']
  )
}
