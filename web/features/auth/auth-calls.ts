import { mailedLinkPath } from '@finanzas/contract/mailed-link.ts'
import { backend, callAuth } from '#backend/client.ts'
import { missingFactors } from '#session/second-factor.ts'
import { forgetAskedLink, noteAskedLink } from '#session/stored.ts'

export type Credentials = { email: string; password: string }

/**
 * Returns whether the password was enough; with a second factor a code comes next. The socket of live updates is opened
 * meanwhile, so that they begin with the session.
 */
export async function signIn(credentials: Credentials): Promise<boolean> {
  const { realtime } = await backend()
  realtime.connect()
  let isIn = false
  try {
    const { data } = await callAuth((auth) => auth.signInWithPassword(credentials))
    isIn = missingFactors(data.session).length === 0
  } finally {
    // Without a channel the server would close it, and the client open it again.
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

/** Returns whether the person must confirm a mail first. If the operator requires none, the person is signed in. */
export async function signUp(credentials: Credentials): Promise<boolean> {
  noteAskedLink(credentials.email)
  const options = { emailRedirectTo: linkTarget() }
  const { data } = await callAuth((auth) => auth.signUp({ ...credentials, options }))
  return data.session === null
}

/** The sign-up's mail once more. */
export async function resendConfirmation(email: string): Promise<void> {
  noteAskedLink(email)
  const options = { emailRedirectTo: linkTarget() }
  await callAuth((auth) => auth.resend({ type: 'signup', email, options }))
}

export async function sendRecoveryMail(email: string): Promise<void> {
  noteAskedLink(email)
  await callAuth((auth) => auth.resetPasswordForEmail(email, { redirectTo: linkTarget() }))
}

/** Asks for the end of the second factors that cannot be shown; answers when they end (ISO 8601). */
export async function askForFactorEnd(factorId: string): Promise<string> {
  const { data } = await callAuth((auth) => auth.mfa.unenroll({ factorId }))
  return (data as { ends_at?: string }).ends_at ?? new Date().toISOString()
}

/** Address of the links in the bank's mails. The page there asks before it spends a link (contract/mailed-link.ts). */
function linkTarget(): string {
  return `${window.location.origin}${mailedLinkPath}`
}

export async function saveNewPassword(password: string): Promise<void> {
  await callAuth((auth) => auth.updateUser({ password }))
}
