/**
 * Rate limits of the endpoints (security.md DO-04), with the error that `/auth/v1` returns when a limit is exceeded.
 */
import type { AccessTokenClaims } from '@finanzas/contract/people/claims.ts'
import type { FastifyRequest } from 'fastify'
import type { ScopeSession } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { networkOf } from '#http/network.ts'
import { WireError, type WireErrorRow } from '#http/wire-error.ts'
import { mailsPerRecipient } from '#throttle/limits.ts'
import type { Use } from '#throttle/attempts.ts'
import { type SignInAttempt, type Throttle, TooManyRequests } from '#throttle/throttle.ts'
import { authErrors } from './errors.ts'

type Limited = { readonly throttle: Throttle }

export function limitSignIns(
  { throttle }: Limited,
  { ip }: FastifyRequest,
  email: string | null,
): Promise<SignInAttempt> {
  return orRefuse(throttle.consumeSignIn({ email, network: networkOf(ip) }))
}

/** Counts the sign-up and the mail that it sends. */
export async function limitSignUps(services: Limited, request: FastifyRequest, email: string): Promise<void> {
  const subject = networkOf(request.ip)
  await orRefuse(services.throttle.consume([{ limit: 'sign-up from a network', subject }]))
  await limitMails(services, request, { email, purpose: 'sign-up' })
}

/**
 * Counts a mail, even if the address has no account. A refusal therefore does not reveal whether the address has an
 * account.
 */
export async function limitMails(
  { throttle }: Limited,
  { ip, log }: FastifyRequest,
  mail: {
    readonly email: string
    /**
     * Each purpose has its own count, so that sign-ups with a customer's address do not block other mails to the
     * customer.
     */
    readonly purpose: 'sign-up' | 'recovery' | 'magic link' | 'email change' | 'reauthentication'
    /**
     * The caller's claims, for mails that only a signed-in user may request. A mail is not counted if the caller's
     * session has ended.
     */
    readonly claims?: AccessTokenClaims
  },
): Promise<void> {
  const { email, purpose, claims } = mail
  const network = networkOf(ip)
  const uses: Use[] = [
    ...mailsPerRecipient.map((limit) => ({ limit, subject: `${purpose} ${email}` })),
    { limit: 'mail requested by a network', subject: network, isForUnknownNetworks: true },
  ]
  const session = claims === undefined ? null : sessionOf(claims)
  const refusal = (error: TooManyRequests) => ({
    ...authErrors.tooManyMails,
    message: `For security purposes, you can only request this after ${error.retryAfterSeconds} seconds.`,
  })
  await orRefuse(throttle.consume(uses, { session, origin: { email, network } }), refusal)
  logEvent(log, 'mail requested', { purpose })
}

/** Counts a request in which a signed-in user enters the current password or chooses a new password. */
export function limitPasswordChecks({ throttle }: Limited, sessionId: string): Promise<void> {
  return orRefuse(throttle.consume([{ limit: 'password asked once more', subject: sessionId }]))
}

/** Counts a change of a user's own data, or the enrolment of a second factor. */
export function limitUserChanges({ throttle }: Limited, claims: AccessTokenClaims): Promise<void> {
  const uses: Use[] = [{ limit: 'change of a user', subject: claims.sub }]
  return orRefuse(throttle.consume(uses, { session: sessionOf(claims) }))
}

/**
 * Counts one attempt to enter a six-digit code, either for the account with the given address or for the caller's
 * account. Returns a function that refunds the attempt when the code was right.
 */
export async function limitCodes(
  { throttle }: Limited,
  account: { readonly email: string } | { readonly claims: AccessTokenClaims },
): Promise<() => Promise<void>> {
  const subject = 'email' in account ? account.email : account.claims.sub
  const session = 'email' in account ? null : sessionOf(account.claims)
  const uses: Use[] = [{ limit: 'code typed', subject }]
  await orRefuse(throttle.consume(uses, { session }))
  return () => throttle.refund(uses)
}

export function limitChallenges({ throttle }: Limited, sessionId: string): Promise<void> {
  return orRefuse(throttle.consume([{ limit: 'challenge of a factor', subject: sessionId }]))
}

/** Refreshes above the limit get a 503: the client retries after a 503, but would drop a valid session after a 429. */
export function limitRefreshes(
  { throttle }: Limited,
  { ip }: FastifyRequest,
  sessionId: string,
): Promise<void> {
  const consumed = throttle.consumeRefresh({ sessionId, network: networkOf(ip) })
  return orRefuse(consumed, () => authErrors.unavailable)
}

function sessionOf({ session_id: id, sub: userId }: AccessTokenClaims): ScopeSession {
  return { id, userId }
}

async function orRefuse<T>(
  consumed: Promise<T>,
  refusal: (error: TooManyRequests) => WireErrorRow = () => authErrors.tooManyRequests,
): Promise<T> {
  try {
    return await consumed
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error
    const headers = { 'retry-after': String(error.retryAfterSeconds) }
    throw new WireError(refusal(error), { headers, cause: error })
  }
}
