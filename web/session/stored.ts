import type { Session } from '@supabase/supabase-js'
import { backendUrl } from '#backend/configuration.ts'

/** Returns whether the client will find a session under its default key. Does not load the client. */
export function hasStoredSession(): boolean {
  return stored('') !== null
}

/** The client refreshes a token that expires within 90 s. The remaining seconds are for the start itself. */
const renewalMs = 100_000

/** Returns the session as the client last stored it, which may have ended since. */
export function storedSession(): Session | null {
  const found = parse(stored('')) as Partial<Session> | null
  const isWhole = typeof found?.user?.id === 'string' && typeof found.access_token === 'string'
  return isWhole ? (found as Session) : null
}

/** Returns whether the client will use the session's token without a refresh. */
export function needsNoRenewal({ expires_at }: Session): boolean {
  return expires_at !== undefined && expires_at * 1000 - Date.now() > renewalMs
}

/** Returns whether this browser requested a link under PKCE, so it can exchange the link's code. */
export function hasCodeVerifier(): boolean {
  return stored('-code-verifier') !== null
}

/** Removes the session from this device without the client. */
export function forgetSession(): void {
  window.localStorage.removeItem(clientKey(''))
}

function stored(suffix: string): string | null {
  return window.localStorage.getItem(clientKey(suffix))
}

function clientKey(suffix: string): string {
  const [firstLabel] = new URL(backendUrl()).hostname.split('.')
  return `sb-${firstLabel}-auth-token${suffix}`
}

/**
 * Remembers the address for which this browser last requested a link. That link needs no confirmation here, and the
 * server compares the addresses. The address is kept for a day, until the link arrives, or until a user signs in or out
 * here.
 */
const key = 'finanzas-link-asked'
const lifeMs = 24 * 3_600_000

type AskedLink = { readonly email: string; readonly at: number }

export function noteAskedLink(email: string): void {
  const asked: AskedLink = { email: email.toLowerCase(), at: Date.now() }
  window.localStorage.setItem(key, JSON.stringify(asked))
}

/** Returns the remembered address. Deletes one that is older than a day, so every start of the page calls this. */
export function askedLink(): string | null {
  const asked = parse(window.localStorage.getItem(key)) as AskedLink | null
  if (asked !== null && Date.now() - asked.at < lifeMs) return asked.email
  forgetAskedLink()
  return null
}

export function forgetAskedLink(): void {
  window.localStorage.removeItem(key)
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
