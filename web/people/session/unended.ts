/**
 * Handles a sign-out without a connection. The session is removed from this device immediately, and ended at the server
 * when the device is online again. Until then, the device stores only the refresh token and the time of the sign-out.
 * The token is used only to end the session, and never to open a page.
 */
import { detachedClient } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import { readStored, writeStored } from '#storage/device-storage.ts'

const key = 'finanzas-unended-session'
/** Time after which the device deletes the token. The session is no longer used and later expires by itself. */
const lifeMs = 24 * 3_600_000

type Note = { readonly refreshToken: string; readonly at: number }

export function noteUnended(refreshToken: string, at = Date.now()): void {
  writeStored(key, JSON.stringify({ refreshToken, at } satisfies Note))
}

/**
 * Tries to end a pending session now and whenever the browser goes online. Returns a function that stops these
 * attempts.
 */
export function endUnendedSessions(): () => void {
  const end = () => {
    endNoted().catch((error: unknown) => logQuietly(error, 'end of a left session'))
  }
  end()
  window.addEventListener('online', end)
  return () => window.removeEventListener('online', end)
}

/**
 * Ends only this device's session, not later sessions of the same user. If the server refuses the token, the session
 * has already ended. If no server answers, the token is kept for the next attempt.
 */
async function endNoted(): Promise<void> {
  const note = readNote()
  if (note === null || !navigator.onLine) return
  const { auth } = await detachedClient()
  const { data, error } = await auth.refreshSession({ refresh_token: note.refreshToken })
  if (isUnanswered(error)) return
  // The refresh replaced the stored token.
  if (data.session !== null) {
    noteUnended(data.session.refresh_token, note.at)
    const { error: failure } = await auth.signOut({ scope: 'local' })
    if (isUnanswered(failure)) return
  }
  writeStored(key, null)
}

/**
 * Returns whether the request can be repeated: no server answered, or the server was too busy. The client uses the same
 * error name in both cases.
 */
function isUnanswered(error: Error | null): boolean {
  return error?.name === 'AuthRetryableFetchError'
}

function readNote(): Note | null {
  const text = readStored(key)
  if (text === null) return null
  const note = JSON.parse(text) as Note
  if (Date.now() - note.at < lifeMs) return note
  writeStored(key, null)
  return null
}
