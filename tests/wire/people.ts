/**
 * Helpers that let people sign up and sign in. Each call creates a new person, so that tests do not depend on each
 * other.
 */
import { type AccessTokenClaims, unverifiedClaims } from '@finanzas/contract/people/claims.ts'
import { type RealtimeChannel, type Session, type SupabaseClient, createClient } from '@supabase/supabase-js'
import { inject } from 'vitest'
import { isolatedAuth } from '#testing/people.ts'
import { type Credentials, type Described, newCredentials, population } from '#testing/population.ts'
import { followMail } from './mails.ts'

/** A person who has signed up. `client` is signed in once the person has confirmed the e-mail address. */
export type Person = Credentials & { client: SupabaseClient; id: string }

/** A person with a session. */
export type SignedIn = Person & { session: Session }

/** Creates a real client that is signed out, as a page does. Clients created this way do not share a session. */
export function newClient(): SupabaseClient {
  const { url, anonKey } = inject('server')
  return createClient(url, anonKey, { auth: { ...isolatedAuth, experimental: { recoveryCodes: true } } })
}

/** Creates a client with the service key, as an operator's program does. */
export function operator(): SupabaseClient {
  const { url, serviceRoleKey } = inject('server')
  return createClient(url, serviceRoleKey, { auth: isolatedAuth })
}

/** Creates a client that uses the session from a link's URL fragment. */
export async function openSession(fragment: URLSearchParams): Promise<SupabaseClient> {
  const client = newClient()
  const { data, error } = await setSession(client, fragment)
  if (data.session === null) throw new Error('The link did not sign in.', { cause: error })
  return client
}

function setSession(client: SupabaseClient, fragment: URLSearchParams) {
  const [access_token, refresh_token] = [fragment.get('access_token'), fragment.get('refresh_token')]
  return client.auth.setSession({ access_token: access_token ?? '', refresh_token: refresh_token ?? '' })
}

/** Requests a recovery link and opens its session. `count` is the number of the mail among all mails to the address. */
export async function openRecovery(email: string, count: number): Promise<SupabaseClient> {
  await newClient().auth.resetPasswordForEmail(email)
  return openSession((await followMail(email, count)).fragment)
}

/** Reads the claims of an access token. */
export function claimsOf(token: string | undefined): AccessTokenClaims {
  return unverifiedClaims(token ?? '') as AccessTokenClaims
}

/** Returns a six-digit code that differs from the given code. */
export function otherThan(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

/** Signs up a customer, confirms the e-mail address and signs the customer in. */
export async function signUpCustomer(fullName: string = population.customer.fullName): Promise<SignedIn> {
  const person = await signUpUnconfirmed(fullName)
  const { fragment } = await followMail(person.email)
  const { data, error } = await setSession(person.client, fragment)
  if (data.session === null) throw new Error('The link did not sign in.', { cause: error })
  // The answer to a sign-up does not contain the real user id.
  return { ...person, id: data.session.user.id, session: data.session }
}

/** Signs up a customer who has not opened their mail yet. */
export async function signUpUnconfirmed(
  fullName: string = population.customer.fullName,
): Promise<Omit<Person, 'id'>> {
  const client = newClient()
  const { email, password } = newCredentials()
  const { data, error } = await client.auth.signUp({
    email,
    password,
    options: { data: { full_name: fullName } },
  })
  if (data.user === null) throw new Error('Signing up failed.', { cause: error })
  return { client, email, password }
}

/** Signs a person in with a new session, as on another device. */
export async function signIn(person: Credentials): Promise<SignedIn> {
  const client = newClient()
  const { email, password } = person
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  if (data.session === null) throw new Error('Signing in failed.', { cause: error })
  return { client, email, password, id: data.user.id, session: data.session }
}

/** Creates an account as an administrator. */
export async function createAccount(
  office: SupabaseClient,
  { fullName, role }: Described,
): Promise<Credentials & { id: string }> {
  const account = newCredentials()
  const { data, error } = await office.functions.invoke<{ id: string }>('manage-users', {
    body: { action: 'create', ...account, role, user_metadata: { full_name: fullName } },
  })
  if (data === null) throw new Error('The account was not created.', { cause: error })
  return { ...account, id: data.id }
}

/** Signs in the bank's first administrator, with a new session. */
export function administrator(): Promise<SignedIn> {
  return signIn(inject('server').administrator)
}

/** Creates a channel for the person's own transactions, which is not joined yet. */
export function channelOf({ client, id }: Pick<Person, 'client' | 'id'>): RealtimeChannel {
  const rows = { event: '*', schema: 'public', table: 'transactions', filter: `user_id=eq.${id}` } as const
  return client.channel(`user-${id}`).on('postgres_changes', rows, () => undefined)
}
