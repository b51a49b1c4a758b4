import { backend } from './client.ts'
import { logQuietly } from './log-quietly.ts'

/**
 * Asks the auth surface whether the session still lives. When it was ended elsewhere (a new password, a
 * changed role) the client hears so and signs out by itself.
 */
export async function verifySession(): Promise<void> {
  try {
    const client = await backend()
    await client.auth.getUser()
  } catch (error) {
    logQuietly(error, 'session check')
  }
}
