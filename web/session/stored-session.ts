import { backendUrl } from '#backend/configuration.ts'

/** Whether the client will find a session under its default key, told without loading the client. */
export function hasStoredSession(): boolean {
  const [firstLabel] = new URL(backendUrl()).hostname.split('.')
  return window.localStorage.getItem(`sb-${firstLabel}-auth-token`) !== null
}
