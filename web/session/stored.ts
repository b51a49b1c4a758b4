import type { Session } from '@supabase/supabase-js'
import { backendUrl } from '#backend/configuration.ts'

/** Whether the client will find a session under its default key, read without loading the client. */
export function hasStoredSession(): boolean {
  return stored('') !== null
}

/** Before its end by so much the client renews a token rather than use it; some seconds more, for the start itself. */
const renewalMs = 100_000

/** That session as the client last stored it, which says nothing about whether it still lives. */
export function storedSession(): Session | null {
  const found = parse(stored('')) as Partial<Session> | null
  const isWhole = typeof found?.user?.id === 'string' && typeof found.access_token === 'string'
  return isWhole ? (found as Session) : null
}

/** Whether the client will use the session's token as it is. */
export function needsNoRenewal({ expires_at }: Session): boolean {
  return expires_at !== undefined && expires_at * 1000 - Date.now() > renewalMs
}

/** Whether this browser has asked for a link under PKCE, and can exchange the code that it leads to. */
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
 * The address for which this browser last requested a link. That link needs no confirmation here; the server compares
 * the addresses. It stays for a day, until the link comes or an account is entered or left here.
 */
const key = 'finanzas-link-asked'
const lifeMs = 24 * 3_600_000

type AskedLink = { readonly email: string; readonly at: number }

export function noteAskedLink(email: string): void {
  const asked: AskedLink = { email: email.toLowerCase(), at: Date.now() }
  window.localStorage.setItem(key, JSON.stringify(asked))
}

/** Forgets it too where it is a day old: asked for at each start of the page. */
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
