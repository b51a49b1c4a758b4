/** What a link from a mail left in the address (wire-contract §1.7); behind `recovery` a password is chosen first. */
export type AuthLink = 'none' | 'signed-in' | 'recovery' | 'failed'

/**
 * Reads it before the client starts, because the client clears the address.
 * A failure is taken out of the address at once: the screen says it, and a reload must not say it again.
 */
export function readAuthLink(location: Location, history: History): AuthLink {
  const fragment = new URLSearchParams(location.hash.slice(1))
  if (fragment.has('error_code') || fragment.has('error')) {
    history.replaceState(history.state, '', location.pathname + location.search)
    return 'failed'
  }
  if (!fragment.has('access_token')) return 'none'
  return ['recovery', 'invite'].includes(fragment.get('type') ?? '') ? 'recovery' : 'signed-in'
}
