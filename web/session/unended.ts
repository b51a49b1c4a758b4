/**
 * A session that was left without a connection: gone from this device at once, and ended at the server with the next
 * connection. Kept for that are its refresh token and when; nothing else reads it, and it opens no page.
 */
import { detachedClient } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'

const key = 'finanzas-unended-session'
/** Afterwards the session ends by itself, unused, and the device forgets the token. */
const lifeMs = 24 * 3_600_000

type Note = { readonly refreshToken: string; readonly at: number }

export function noteUnended(refreshToken: string, at = Date.now()): void {
  window.localStorage.setItem(key, JSON.stringify({ refreshToken, at } satisfies Note))
}

/** Ends what was noted: now, and whenever the browser has a connection again. Returns how to stop. */
export function endUnendedSessions(): () => void {
  const end = () => {
    endNoted().catch((error: unknown) => logQuietly(error, 'end of a left session'))
  }
  end()
  window.addEventListener('online', end)
  return () => window.removeEventListener('online', end)
}

/**
 * Ends only this device's session, not those that its owner has opened since. A refusal means that it has ended already;
 * without an answer the note stays for the next connection.
 */
async function endNoted(): Promise<void> {
  const note = readNote()
  if (note === null || !navigator.onLine) return
  const { auth } = await detachedClient()
  const { data, error } = await auth.refreshSession({ refresh_token: note.refreshToken })
  if (isUnanswered(error)) return
  // The token has been exchanged for this one.
  if (data.session !== null) {
    noteUnended(data.session.refresh_token, note.at)
    const { error: failure } = await auth.signOut({ scope: 'local' })
    if (isUnanswered(failure)) return
  }
  window.localStorage.removeItem(key)
}

/** Whether no server has answered, or one that is busy: the client's name for both. */
function isUnanswered(error: Error | null): boolean {
  return error?.name === 'AuthRetryableFetchError'
}

function readNote(): Note | null {
  const text = window.localStorage.getItem(key)
  if (text === null) return null
  const note = JSON.parse(text) as Note
  if (Date.now() - note.at < lifeMs) return note
  window.localStorage.removeItem(key)
  return null
}
