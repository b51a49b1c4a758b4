import type { EmailOtpType, Session } from '@supabase/supabase-js'
import {
  cancelAddressLinkType,
  confirmAddressLinkType,
  undoLinkType,
} from '@finanzas/contract/mailed-link.ts'
import { backend, detachedClient, type BackendClient } from '#backend/client.ts'
import { logQuietly } from '#backend/errors.ts'
import type { PendingLink } from './auth-link.ts'
import { hasStoredSession } from './stored.ts'

/** A live session that a link opened, and that the page does not use yet. */
export type Opened = { session: Session; client: BackendClient }

/**
 * Uses up a link that this browser requested, in the page's own client. The server checks that the link was sent to
 * this address; if not, the result is `refused` and the link stays unused. Returns `null` if the link opens no session.
 * Throws the auth surface's other errors.
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
 * Uses up a link. Returns its session, or `null` for a link that opens no session: the first link of an address change,
 * or the link of a notice. Throws the auth surface's error.
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
 * Returns the address of another account that is open here. It is empty if unknown, because a session whose refresh
 * fails stays stored. Returns `null` if no other account is open.
 */
export async function otherAddress({ session }: Opened): Promise<string | null> {
  const client = await backend()
  const { data, error } = await client.auth.getSession()
  if (data.session === null) return error !== null || hasStoredSession() ? '' : null
  return data.session.user.id === session.user.id ? null : (data.session.user.email ?? '')
}

/** Makes the session the page's own, and ends the previous one. */
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

/** Ends the session, after the user declined it. */
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
