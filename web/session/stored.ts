import { backendUrl } from '#backend/configuration.ts'

/** Whether the client will find a session under its default key, read without loading the client. */
export function hasStoredSession(): boolean {
  return isStored('')
}

/** Whether this browser has asked for a link under PKCE, and can exchange the code that it leads to. */
export function hasCodeVerifier(): boolean {
  return isStored('-code-verifier')
}

function isStored(suffix: string): boolean {
  const [firstLabel] = new URL(backendUrl()).hostname.split('.')
  return window.localStorage.getItem(`sb-${firstLabel}-auth-token${suffix}`) !== null
}

/**
 * For which address this browser last asked for a link by mail: that link needs no second question here, and the server
 * compares them. It stays for a day, until the link comes or an account is entered or left here.
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
  const asked = parse(window.localStorage.getItem(key))
  if (asked !== null && Date.now() - asked.at < lifeMs) return asked.email
  forgetAskedLink()
  return null
}

export function forgetAskedLink(): void {
  window.localStorage.removeItem(key)
}

function parse(stored: string | null): AskedLink | null {
  try {
    return JSON.parse(stored ?? 'null') as AskedLink | null
  } catch {
    return null
  }
}
