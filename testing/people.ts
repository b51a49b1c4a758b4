/** Creates clients and customers of a server under test, over HTTP. */
import { type Session, type SupabaseClient, createClient } from '@supabase/supabase-js'
import { type Credentials, newCredentials } from './population.ts'
import { administrator } from './server.ts'

/** A signed-in customer or administrator. */
export type Person = Credentials & {
  readonly id: string
  readonly client: SupabaseClient
  readonly session: Session
}

export type Target = { readonly url: string; readonly anonKey: string | (() => Promise<string>) }

/** Turns off storage and timers, so that clients in the same process do not share state. */
export const isolatedAuth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false }

/** Returns a client without a session. */
export async function anonymousClient({ url, anonKey }: Target): Promise<SupabaseClient> {
  const key = typeof anonKey === 'string' ? anonKey : await anonKey()
  return createClient(url, key, { auth: isolatedAuth })
}

/**
 * Signs up a new customer and signs them in. The server must be configured to confirm sign-ups immediately
 * (`AUTH_AUTOCONFIRM`).
 */
export async function signUp(server: Target, credentials: Credentials = newCredentials()): Promise<Person> {
  const client = await anonymousClient(server)
  const { data, error } = await client.auth.signUp(credentials)
  return personOf(client, credentials, data.session, error)
}

/** Signs in with a password, by default as the administrator of `testEnvironment`. */
export async function signIn(server: Target, credentials: Credentials = administrator): Promise<Person> {
  const client = await anonymousClient(server)
  const { data, error } = await client.auth.signInWithPassword(credentials)
  return personOf(client, credentials, data.session, error)
}

/** Returns a client of another server that uses the same session. */
export async function carrySession({ session, ...person }: Person, to: Target): Promise<Person> {
  const client = await anonymousClient(to)
  const { data, error } = await client.auth.setSession(session)
  return personOf(client, person, data.session, error)
}

function personOf(
  client: SupabaseClient,
  { email, password }: Credentials,
  session: Session | null,
  cause: unknown,
): Person {
  if (session === null) throw new Error(`${email} was not signed in.`, { cause })
  return { email, password, id: session.user.id, client, session }
}
