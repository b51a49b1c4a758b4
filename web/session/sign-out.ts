import { backend } from '#backend/client.ts'

/** Ends every session of the user, everywhere; throws the auth surface's error when it could not. */
export async function signOut(): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.signOut()
  if (error !== null) throw error
}
