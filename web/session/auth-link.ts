import { hasCodeVerifier } from './stored.ts'

/** A link that `LinkPage` uses, at once or after the user presses a button. */
export type PendingLink =
  /** A link of the bank: `verifyOtp` uses up its token, on any device. */
  | { kind: 'token'; type: string; tokenHash: string }
  /** A session opened by another program's call, as `GET /verify` returns it. */
  | { kind: 'session'; accessToken: string; refreshToken: string }

export type AuthLink =
  | PendingLink
  /** `code`: this browser requested the link (PKCE), and the client exchanges the code by itself. */
  | { kind: 'none' | 'failed' | 'code' }
  /** A code that another browser requested. Only that browser can exchange it. */
  | { kind: 'elsewhere' }

/**
 * Reads the link before the client starts, and removes it from the address: a reload must not report a failure again,
 * and no token may stay in the history. Only a code stays, for the client to exchange.
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
