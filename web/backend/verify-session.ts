import { backend } from './client.ts'
import { logQuietly } from './errors.ts'

/**
 * Asks the auth surface whether the session still lives. When it was ended elsewhere (a new password, a
 * changed role) the client signs out by itself. Answers whether there is a session still; one that could not be
 * checked counts.
 */
export async function verifySession(): Promise<boolean> {
  try {
    const client = await backend()
    await client.auth.getUser()
    const { data, error } = await client.auth.getSession()
    return data.session !== null || error !== null
  } catch (error) {
    logQuietly(error, 'session check')
    return true
  }
}
