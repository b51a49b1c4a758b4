import { backend } from '#backend/client.ts'
import { forgetAskedLink } from './asked-link.ts'

/** Ends every session of the user, everywhere; throws the auth surface's error when it could not. */
export async function signOut(): Promise<void> {
  forgetAskedLink()
  const client = await backend()
  const { error } = await client.auth.signOut()
  if (error !== null) throw error
}
