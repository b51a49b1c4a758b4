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
