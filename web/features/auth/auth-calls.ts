import { mailedLinkPath } from '@finanzas/contract/mailed-link.ts'
import { backend } from '#backend/client.ts'
import { forgetAskedLink, noteAskedLink } from '#session/asked-link.ts'
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
  forgetAskedLink()
  return missingFactor(data.session) === null
}

export async function showCode(factorId: string, code: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code })
  if (error !== null) throw error
}

export async function spendRecoveryCode(code: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.mfa.recoveryCodes.verify({ code })
  if (error !== null) throw error
}

/** Answers whether a mail has to be confirmed first; where the operator asks for none, the person is signed in. */
export async function signUp(credentials: Credentials): Promise<boolean> {
  const client = await backend()
  noteAskedLink(credentials.email)
  const { data, error } = await client.auth.signUp({
    ...credentials,
    options: { emailRedirectTo: linkTarget() },
  })
  if (error !== null) throw error
  return data.session === null
}

export async function sendRecoveryMail(email: string): Promise<void> {
  const client = await backend()
  noteAskedLink(email)
  const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo: linkTarget() })
  if (error !== null) throw error
}

/** Asks for the end of the second factors that cannot be shown; answers when they end (ISO 8601). */
export async function askForFactorEnd(factorId: string): Promise<string> {
  const client = await backend()
  const { data, error } = await client.auth.mfa.unenroll({ factorId })
  if (error !== null) throw error
  return (data as { ends_at?: string }).ends_at ?? new Date().toISOString()
}

/** Where the bank's mails lead: the page asks there before it spends a link (contract/mailed-link.ts). */
function linkTarget(): string {
  return `${window.location.origin}${mailedLinkPath}`
}

export async function saveNewPassword(password: string): Promise<void> {
  const client = await backend()
  const { error } = await client.auth.updateUser({ password })
  if (error !== null) throw error
}
