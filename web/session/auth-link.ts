import { hasCodeVerifier } from './stored.ts'

/** A link that waits for a press of a button: nothing has been spent, and no session opened. */
export type PendingLink =
  /** One of the bank's own: its token is spent by `verifyOtp`, on any device. */
  | { kind: 'token'; type: string; tokenHash: string }
  /** A session that a call of another program opened, as `GET /verify` hands it over. */
  | { kind: 'session'; accessToken: string; refreshToken: string }

export type AuthLink =
  | PendingLink
  /** `code`: this browser asked for the link (PKCE), and the client exchanges it by itself. */
  | { kind: 'none' | 'failed' | 'code' }
  /** A code that another browser asked for: only that one can exchange it. */
  | { kind: 'elsewhere' }

/**
 * Reads it before the client starts, and takes it out of the address at once: a reload must not say a failure again,
 * and no token stays in the history. Only a code remains, which the client exchanges.
 */
export function readAuthLink(location: Location, history: History): AuthLink {
  const link = linkIn(location)
  if (link.kind !== 'none' && link.kind !== 'code') {
    const isOwnPath = link.kind !== 'failed' && link.kind !== 'session'
    history.replaceState(history.state, '', isOwnPath ? '/' : location.pathname + location.search)
  }
  return link
}

function linkIn({ hash, search }: Location): AuthLink {
  const fragment = new URLSearchParams(hash.slice(1))
  const query = new URLSearchParams(search)
  if (fragment.has('error_code') || fragment.has('error')) return { kind: 'failed' }
  const tokenHash = fragment.get('token_hash')
  if (tokenHash !== null) return { kind: 'token', type: fragment.get('type') ?? '', tokenHash }
  const accessToken = fragment.get('access_token')
  const refreshToken = fragment.get('refresh_token')
  if (accessToken !== null && refreshToken !== null) return { kind: 'session', accessToken, refreshToken }
  if (!query.has('code')) return { kind: 'none' }
  return { kind: hasCodeVerifier() ? 'code' : 'elsewhere' }
}
