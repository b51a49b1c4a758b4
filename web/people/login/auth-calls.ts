import { backend, callAuth } from '#api/client.ts'
import { linkTarget } from '#people/session/recovery-mail.ts'
import { missingFactors } from '#people/session/second-factor.ts'
import { forgetAskedLink, noteAskedLink } from '#people/session/stored.ts'

export type Credentials = { email: string; password: string }

/**
 * Signs in with a password. Returns false if the user must still provide a second factor. The socket for live updates
 * is opened during the sign-in, so that updates arrive as soon as the session starts.
 */
export async function signIn(credentials: Credentials): Promise<boolean> {
  const { realtime } = await backend()
  realtime.connect()
  let isIn = false
  try {
    const { data } = await callAuth((auth) => auth.signInWithPassword(credentials))
    isIn = missingFactors(data.session).length === 0
  } finally {
    // Without a signed-in user, the page joins no channel. The server would close the unused socket, and the client
    // would then open it again.
    if (!isIn) void realtime.disconnect()
  }
  forgetAskedLink()
  return isIn
}

export async function showCode(factorId: string, code: string): Promise<void> {
  await callAuth((auth) => auth.mfa.challengeAndVerify({ factorId, code }))
}

export async function spendRecoveryCode(code: string): Promise<void> {
  await callAuth((auth) => auth.mfa.recoveryCodes.verify({ code }))
}

/**
 * Signs up. Returns true if the user must first confirm the e-mail address, and false if the user is now signed in.
 */
export async function signUp(credentials: Credentials): Promise<boolean> {
  noteAskedLink(credentials.email)
  const options = { emailRedirectTo: linkTarget() }
  const { data } = await callAuth((auth) => auth.signUp({ ...credentials, options }))
  return data.session === null
}

/** Sends another confirmation mail. */
export async function resendConfirmation(email: string): Promise<void> {
  noteAskedLink(email)
  const options = { emailRedirectTo: linkTarget() }
  await callAuth((auth) => auth.resend({ type: 'signup', email, options }))
}

/**
 * Requests the removal of the second factors that the user has lost. Returns the time at which the server will remove
 * them (ISO 8601).
 */
export async function askForFactorEnd(factorId: string): Promise<string> {
  const { data } = await callAuth((auth) => auth.mfa.unenroll({ factorId }))
  return (data as { ends_at?: string }).ends_at ?? new Date().toISOString()
}

export async function saveNewPassword(password: string): Promise<void> {
  await callAuth((auth) => auth.updateUser({ password }))
}
