/** A session as JSON: the two tokens and the user. */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import { accessTokenLifeSeconds, administratorTokenLifeSeconds } from '@finanzas/contract/limits.ts'
import type { FastifyRequest } from 'fastify'
import { logEvent } from '#http/events.ts'
import type { SignedIn } from '#people/session/sessions.ts'
import type { AuthServices } from './services.ts'
import { userBody } from './user-body.ts'

export type SessionBody = {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  /** Unix seconds. */
  expires_at: number
  refresh_token: string
  user: Record<string, unknown>
}

export function newSessionBody(
  { log }: Pick<FastifyRequest, 'log'>,
  services: AuthServices,
  signedIn: SignedIn,
): Promise<SessionBody> {
  const { user, session } = signedIn
  logEvent(log, 'signed in', { userId: user.id, sessionId: session.id, method: session.amr[0]?.method })
  return sessionBody(services, signedIn)
}

export async function sessionBody(
  { tokenKey, refreshTokenKey }: AuthServices,
  { user, session }: SignedIn,
): Promise<SessionBody> {
  const iat = Math.floor(Date.now() / 1000)
  const isAdministrator = user.raw_app_meta_data.role === 'admin'
  const lifeSeconds = isAdministrator ? administratorTokenLifeSeconds : accessTokenLifeSeconds
  const exp = iat + lifeSeconds
  const claims: AccessTokenClaims = {
    iss: tokenKey.issuer,
    sub: user.id,
    aud: 'authenticated',
    exp,
    iat,
    email: user.email,
    phone: '',
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    role: 'authenticated',
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  }
  return {
    access_token: await tokenKey.sign(claims),
    token_type: 'bearer',
    expires_in: lifeSeconds,
    expires_at: exp,
    refresh_token: refreshTokenKey.write({ sessionId: session.id, counter: session.refresh_counter }),
    user: userBody(user),
  }
}
