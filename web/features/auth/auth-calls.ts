import { backend } from '#backend/client.ts'

export type Credentials = { email: string; password: string }

/** Each call throws the auth surface's error; its message is what the specification shows. */
export async function signIn(credentials: Credentials): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.signInWithPassword(credentials)
  if (error !== null) throw error
}

export async function signUp(credentials: Credentials): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.signUp({
    ...credentials,
    options: { emailRedirectTo: window.location.origin },
  })
  if (error !== null) throw error
}

export async function sendRecoveryMail(email: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo: window.location.origin })
  if (error !== null) throw error
}

export async function saveNewPassword(password: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.updateUser({ password })
  if (error !== null) throw error
}
