import type { Session } from '@supabase/supabase-js'
import { backendUrl } from '#api/configuration.ts'
import { readStored, writeStored } from '#storage/device-storage.ts'

/** Returns whether a session is stored under the client's default key, without loading the client. */
export function hasStoredSession(): boolean {
  return stored('') !== null
}

/** The client refreshes a token that expires within 90 s. The page needs up to 10 s more to start. */
const renewalMs = 100_000

/** Returns the session as the client last stored it. The session may have ended since then. */
export function storedSession(): Session | null {
  const found = parse(stored('')) as Partial<Session> | null
  const isWhole = typeof found?.user?.id === 'string' && typeof found.access_token === 'string'
  return isWhole ? (found as Session) : null
}

/** Returns whether the client will use the session's token without refreshing it first. */
export function needsNoRenewal({ expires_at }: Session): boolean {
  return expires_at !== undefined && expires_at * 1000 - Date.now() > renewalMs
}

/** Returns whether this browser requested a link under PKCE, and can therefore exchange the link's code. */
export function hasCodeVerifier(): boolean {
  return stored('-code-verifier') !== null
}

/** Removes the session from this device without using the client. */
export function forgetSession(): void {
  writeStored(clientKey(''), null)
}

function stored(suffix: string): string | null {
  return readStored(clientKey(suffix))
}

function clientKey(suffix: string): string {
  const [firstLabel] = new URL(backendUrl()).hostname.split('.')
  return `sb-${firstLabel}-auth-token${suffix}`
}

/**
 * Remembers the email address to which this browser last requested a link. This browser opens the requested link
 * without a confirmation, because the server compares the email addresses. The address is deleted after a day, when the
 * link arrives, or when a user signs in or out in this browser.
 */
const key = 'finanzas-link-asked'
const lifeMs = 24 * 3_600_000

type AskedLink = { readonly email: string; readonly at: number }

export function noteAskedLink(email: string): void {
  const asked: AskedLink = { email: email.toLowerCase(), at: Date.now() }
  writeStored(key, JSON.stringify(asked))
}

/**
 * Returns the remembered email address. Deletes the address if it is older than a day. For this reason, the page calls
 * the function at every start.
 */
export function askedLink(): string | null {
  const asked = parse(readStored(key)) as AskedLink | null
  if (asked !== null && Date.now() - asked.at < lifeMs) return asked.email
  forgetAskedLink()
  return null
}

export function forgetAskedLink(): void {
  writeStored(key, null)
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
