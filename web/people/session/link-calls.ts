import type { EmailOtpType, Session } from '@supabase/supabase-js'
import {
  cancelAddressLinkType,
  confirmAddressLinkType,
  undoLinkType,
} from '@finanzas/contract/people/mailed-link.ts'
import { backend, detachedClient, type BackendClient } from '#api/client.ts'
import { logQuietly } from '#api/errors.ts'
import type { PendingLink } from './auth-link.ts'
import { hasStoredSession } from './stored.ts'

/** A session that was opened by a link and that the page does not use yet. */
export type Opened = { session: Session; client: BackendClient }

/**
 * Uses the page's own client to open a link that this browser requested. The server checks that the link was sent to
 * `email`. For any other address, the function returns `refused` and the link stays unused. Returns `null` if the link
 * does not open a session. Throws any other error of the auth service.
 */
export async function openAsked(
  link: PendingLink & { kind: 'token' },
  email: string,
): Promise<Session | 'refused' | null> {
  const client = await backend()
  const { data, error } = await client.auth.verifyOtp({
    type: otpTypeOf(link.type),
    email,
    token: link.tokenHash,
  })
  if (error === null) return data.session
  if (error.code === 'otp_expired') return 'refused'
  throw error
}

/**
 * Opens a link, which can be used only once. Returns the new session, or `null` if the link does not open a session.
 * For example, the first link of an email change and the link in a notice do not open a session. Throws the auth
 * service's error.
 */
export async function openLink(link: PendingLink): Promise<Opened | null> {
  const client = await detachedClient()
  const { data, error } =
    link.kind === 'token'
      ? await client.auth.verifyOtp({ type: otpTypeOf(link.type), token_hash: link.tokenHash })
      : await client.auth.setSession({ access_token: link.accessToken, refresh_token: link.refreshToken })
  if (error !== null) throw error
  return data.session === null ? null : { session: data.session, client }
}

/**
 * Returns the email address of another account that is signed in on this page, or `null` if no other account is signed
 * in. The result is an empty string if the address is unknown, for example because the stored session could not be
 * refreshed.
 */
export async function otherAddress({ session }: Opened): Promise<string | null> {
  const client = await backend()
  const { data, error } = await client.auth.getSession()
  if (data.session === null) return error !== null || hasStoredSession() ? '' : null
  return data.session.user.id === session.user.id ? null : (data.session.user.email ?? '')
}

/** Makes this session the page's own session, and ends the previous session. */
export async function adopt({ session }: Opened): Promise<void> {
  const client = await backend()
  const { data: before } = await client.auth.getSession()
  if (before.session !== null) {
    const { error: refusal } = await client.auth.signOut({ scope: 'local' })
    if (refusal !== null) logQuietly(refusal, 'replaced session')
  }
  const { access_token, refresh_token } = session
  const { error } = await client.auth.setSession({ access_token, refresh_token })
  if (error !== null) throw error
}

/** Ends the session that a link opened, if the user does not want to enter with it. */
export async function decline({ client }: Opened): Promise<void> {
  const { error } = await client.auth.signOut({ scope: 'local' })
  if (error !== null) logQuietly(error, 'declined link')
}

const otpTypes: readonly string[] = ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email']

function otpTypeOf(type: string): EmailOtpType {
  if (type === undoLinkType) return 'recovery'
  if (type === confirmAddressLinkType || type === cancelAddressLinkType) return 'email_change'
  return isOtpType(type) ? type : 'email'
}

function isOtpType(type: string): type is EmailOtpType {
  return otpTypes.includes(type)
}
