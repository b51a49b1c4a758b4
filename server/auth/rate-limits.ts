/** Which limits the endpoints have (security.md DO-04), and how each refuses on this surface. */
import type { AccessTokenClaims } from '@finanzas/contract/claims.ts'
import type { FastifyRequest } from 'fastify'
import type { ScopeSession } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { WireError } from '#http/wire-error.ts'
import {
  challengesOfSession,
  codesOfAccount,
  mailsOfNetwork,
  mailsToRecipient,
  passwordQuestionsOfSession,
  signUpsOfNetwork,
} from '#throttle/limits.ts'
import { networkOf } from '#throttle/network.ts'
import { type TakenSignIn, TooManyRequests } from '#throttle/throttle.ts'
import type { Use } from '#throttle/buckets.ts'
import { authErrors } from './errors.ts'
import type { EndpointServices } from './services.ts'

type Throttled = Pick<EndpointServices, 'throttle'>

/** A try to sign in to the account of an address. Answers how to say what became of it. */
export function takeSignIn(
  { throttle }: Throttled,
  { ip }: FastifyRequest,
  email: string | null,
): Promise<TakenSignIn> {
  return orRefuse(throttle.takeSignIn({ email, network: networkOf(ip) }), tooManyRequests)
}

/** A sign-up, and the mail that comes of it. */
export async function takeSignUp(services: Throttled, request: FastifyRequest, email: string): Promise<void> {
  const use = { limit: signUpsOfNetwork, subject: networkOf(request.ip) }
  await orRefuse(services.throttle.take([use]), tooManyRequests)
  await takeMail(services, request, { email, purpose: 'sign-up' })
}

/** A mail that somebody asks for. */
export type AskedMail = {
  readonly email: string
  /** Counted apart: who signs up with somebody's address keeps them from no other mail. */
  readonly purpose: 'sign-up' | 'recovery' | 'magic link' | 'email change' | 'reauthentication'
  /** Who asks, where only somebody who is signed in may: in a session that is over nothing is taken. */
  readonly claims?: AccessTokenClaims
}

/** A mail to an address, whether it has an account or not: the refusal must not tell. */
export async function takeMail(
  { throttle }: Throttled,
  { ip, log }: FastifyRequest,
  { email, purpose, claims }: AskedMail,
): Promise<void> {
  const network = networkOf(ip)
  const uses: Use[] = [
    ...mailsToRecipient.map((limit) => ({ limit, subject: `${purpose} ${email}` })),
    { limit: mailsOfNetwork, subject: network, isOfStrangers: true },
  ]
  const session = claims === undefined ? null : sessionOf(claims)
  await orRefuse(throttle.take(uses, { session, origin: { email, network } }), tooManyMails)
  logEvent(log, 'mail asked for', { purpose })
}

/** A guess at the password of whoever is signed in, where it is asked once more, or the choice of another one. */
export function takePasswordQuestion({ throttle }: Throttled, sessionId: string): Promise<void> {
  const use = { limit: passwordQuestionsOfSession, subject: sessionId }
  return orRefuse(throttle.take([use]), tooManyRequests)
}

function sessionOf({ session_id: id, sub: userId }: AccessTokenClaims): ScopeSession {
  return { id, userId }
}

/**
 * Six digits that are typed for an account: that of an address, or of who is signed in. Answers how to say that they
 * were right.
 */
export async function takeCode(
  { throttle }: Throttled,
  account: { readonly email: string } | { readonly claims: AccessTokenClaims },
): Promise<() => Promise<void>> {
  const subject = 'email' in account ? account.email : account.claims.sub
  const session = 'email' in account ? null : sessionOf(account.claims)
  const uses = [{ limit: codesOfAccount, subject }]
  await orRefuse(throttle.take(uses, { session }), tooManyRequests)
  return () => throttle.handBack(uses)
}

/** A question for a code of somebody's app. */
export function takeChallenge({ throttle }: Throttled, sessionId: string): Promise<void> {
  return orRefuse(throttle.take([{ limit: challengesOfSession, subject: sessionId }]), tooManyRequests)
}

/**
 * A refresh. Too many are answered as an outage: after a 429 the client throws a good session away, after a
 * 503 it tries again.
 */
export function takeRefresh(
  { throttle }: Throttled,
  { ip }: FastifyRequest,
  sessionId: string,
): Promise<void> {
  return orRefuse(throttle.takeRefresh({ sessionId, network: networkOf(ip) }), busy)
}

async function orRefuse<T>(taken: Promise<T>, refusal: (error: TooManyRequests) => WireError): Promise<T> {
  try {
    return await taken
  } catch (error) {
    if (error instanceof TooManyRequests) throw refusal(error)
    throw error
  }
}

function tooManyRequests(error: TooManyRequests): WireError {
  return new WireError(authErrors.tooManyRequests, {
    headers: retryAfter(error.retryAfterSeconds),
    cause: error,
  })
}

function tooManyMails(error: TooManyRequests): WireError {
  const message = `For security purposes, you can only request this after ${error.retryAfterSeconds} seconds.`
  return new WireError(
    { ...authErrors.tooManyMails, message },
    { headers: retryAfter(error.retryAfterSeconds), cause: error },
  )
}

function busy(error: TooManyRequests): WireError {
  return new WireError(authErrors.unavailable, { headers: retryAfter(error.retryAfterSeconds), cause: error })
}

function retryAfter(seconds: number): Record<string, string> {
  return { 'retry-after': String(seconds) }
}
