/**
 * Helpers that let people sign up, read their mail and follow mailed links. Each call creates a new person, so that
 * tests do not depend on each other.
 */
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type AccessTokenClaims, unverifiedClaims } from '@finanzas/contract/access/claims.ts'
import {
  type EmailOtpType,
  type RealtimeChannel,
  type Session,
  type SupabaseClient,
  createClient,
} from '@supabase/supabase-js'
import { inject } from 'vitest'
import { isolatedAuth } from '#testing/people.ts'
import { type Credentials, type Described, newCredentials, population } from '#testing/population.ts'

/** A person who has signed up. `client` is signed in once the person has confirmed the e-mail address. */
export type Person = Credentials & { client: SupabaseClient; id: string }

/** A person with a session. */
export type SignedIn = Person & { session: Session }

/** A mail in the outbox and the link in it. */
export type ReceivedMail = { text: string; link: string }

const mailWaitMs = 15_000

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

/** Waits for the `count`-th mail to the address. */
export async function waitForMail(email: string, count = 1): Promise<ReceivedMail> {
  return untilMail(email, count, (text) => {
    const link = /^https?:\/\/\S+$/m.exec(text)?.[0]
    return link === undefined ? null : { text, link }
  })
}

/** Waits for the `count`-th mail to the address and returns its six digits. */
export async function waitForCode(email: string, count = 1): Promise<string> {
  return untilMail(email, count, (text) => {
    const code = /código (\d{6}) |^(\d{6})\r?$/m.exec(text)
    return code?.[1] ?? code?.[2] ?? null
  })
}

/** Waits until `read` returns a result for the text of the `count`-th mail to the address. */
async function untilMail<T>(email: string, count: number, read: (text: string) => T | null): Promise<T> {
  const deadline = Date.now() + mailWaitMs
  while (Date.now() < deadline) {
    const found = read((await readMails(email))[count - 1] ?? '')
    if (found !== null) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`Mail ${count} to ${email} did not come within ${mailWaitMs} ms.`)
}

/** Returns all mails to the address, the oldest first. */
export async function readMails(email: string): Promise<string[]> {
  const outbox = join(inject('server').dataDir, 'outbox')
  const files = await readdir(outbox).catch(() => [])
  const theirs = files.filter((file) => file.endsWith(`-${email}.eml`)).sort()
  return Promise.all(theirs.map((file) => readFile(join(outbox, file), 'utf8')))
}

/** Follows a mailed link as a browser does, up to the page that it leads to. */
export async function followLink(link: string) {
  const { status, headers } = await fetch(link, { redirect: 'manual' })
  const [page = '', hash = ''] = (headers.get('location') ?? '').split('#')
  const fragment = new URLSearchParams(hash)
  return { status, page, fragment, type: fragment.get('type'), errorCode: fragment.get('error_code') }
}

/** Follows the link in the `count`-th mail to the address. */
export async function followMail(email: string, count = 1) {
  return followLink((await waitForMail(email, count)).link)
}

/** Reads the token from a link to the page that asks the person to press a button. The page posts this token. */
export function tokenIn(link: string): { token_hash: string; type: EmailOtpType } {
  const fragment = new URLSearchParams(new URL(link).hash.slice(1))
  const { token_hash = '', type } = Object.fromEntries(fragment)
  return { token_hash, type: type as EmailOtpType }
}
