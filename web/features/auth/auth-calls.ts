import { backend } from '#backend/client.ts'
import { missingFactor } from '#session/second-factor.ts'

export type Credentials = { email: string; password: string }

/**
 * Each call throws the auth surface's error; its message is what the specification shows. Answers whether
 * the password was all that it takes: with a second factor a code is asked for next.
 */
export async function signIn(credentials: Credentials): Promise<boolean> {
  const client = await backend()
  const { data, error } = await client.auth.signInWithPassword(credentials)
  if (error !== null) throw error
  return missingFactor(data.session) === null
}

/** Shows the code of the user's authenticator app. */
export async function showCode(factorId: string, code: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
  if (error !== null) throw error
}

/** Spends one of the codes that the user has on paper. */
export async function spendRecoveryCode(code: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.mfa.recoveryCodes.verify({ code })
  if (error !== null) throw error
}

/** Answers whether a mail has to be confirmed first; where the operator asks for none, the person is signed in. */
export async function signUp(credentials: Credentials): Promise<boolean> {
  const client = await backend()
  const { data, error } = await client.auth.signUp({
    ...credentials,
    options: { emailRedirectTo: window.location.origin },
  })
  if (error !== null) throw error
  return data.session === null
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
