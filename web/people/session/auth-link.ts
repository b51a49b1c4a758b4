import { hasCodeVerifier } from './stored.ts'

/** A link that `LinkPage` opens, either immediately or after the user presses a button. */
export type PendingLink =
  /** A link that the bank mailed. `verifyOtp` uses up the link's token and works on any device. */
  | { kind: 'token'; type: string; tokenHash: string }
  /** A session that `GET /verify` opened for a link that another program had requested. */
  | { kind: 'session'; accessToken: string; refreshToken: string }

export type AuthLink =
  | PendingLink
  /** `code` means that this browser requested the link (PKCE). The client exchanges the code by itself. */
  | { kind: 'none' | 'failed' | 'code' }
  /**
   * A code from a link that another browser requested. Only the browser that requested the link can exchange the code.
   */
  | { kind: 'elsewhere' }

/**
 * Reads the link from the URL before the client starts. Then removes the link from the URL, so that a reload does not
 * report a failure again and no token stays in the browser history. Only a code stays in the URL, because the client
 * must exchange it.
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
