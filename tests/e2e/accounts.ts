/** Accounts made over the wire by an administrator of the bank, before a test begins. */
import { type Session, type SupabaseClient, createClient } from '@supabase/supabase-js'
import { newAddress } from './screens.ts'

/** A person with an account; `client` shares the session of their page. */
export type Person = {
  id: string
  email: string
  password: string
  fullName: string
  client: SupabaseClient
  session: Session
}

const url = `http://127.0.0.1:${process.env['E2E_PORT']}`

/** A client that is signed in as the administrator of this test run. */
export async function administratorClient(): Promise<SupabaseClient> {
  const { client } = await signIn('admin@banco.example', process.env['E2E_ADMIN_PASSWORD'] ?? '')
  return client
}

/** A new person, signed in. */
export async function newPerson(
  administrator: SupabaseClient,
  { fullName, role }: { fullName: string; role: 'user' | 'admin' },
): Promise<Person> {
  const credentials = { email: newAddress(), password: 'una clave larga y mía' }
  const { error } = await administrator.functions.invoke('manage-users', {
    body: { action: 'create', ...credentials, role, user_metadata: { full_name: fullName } },
  })
  if (error !== null) throw new Error('The user was not created.', { cause: error })
  const { client, session } = await signIn(credentials.email, credentials.password)
  return { ...credentials, fullName, id: session.user.id, client, session }
}

export async function recordByBank(
  administrator: SupabaseClient,
  person: Person,
  movement: { type: 'deposit' | 'expense'; description: string; amount: number; category: string },
): Promise<void> {
  const transactionData = { user_id: person.id, date: new Date().toISOString(), ...movement }
  const { error } = await administrator.functions.invoke('manage-transactions', {
    body: { action: 'create', transactionData },
  })
  if (error !== null) throw new Error('The movement was not recorded.', { cause: error })
}

/** Expenses that the person records, in one write. */
export async function recordExpenses(
  { client, id }: Person,
  expenses: readonly { description: string; amount: number; category: string | null; date?: string }[],
): Promise<void> {
  const rows = expenses.map((expense) => ({ user_id: id, type: 'expense', ...expense }))
  const { error } = await client.from('transactions').insert(rows)
  if (error !== null) throw new Error('The expenses were not recorded.', { cause: error })
}

/** What the client of a signed-in page keeps in the browser. */
export function storedSession({ session }: Person) {
  const localStorage = [{ name: 'sb-127-auth-token', value: JSON.stringify(session) }]
  return { cookies: [], origins: [{ origin: url, localStorage }] }
}

async function signIn(email: string, password: string) {
  const configuration = (await (await fetch(`${url}/config.json`)).json()) as { anonKey: string }
  const client = createClient(url, configuration.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  })
  const { data, error } = await client.auth.signInWithPassword({ email, password })
  if (data.session === null) throw new Error('Signing in failed.', { cause: error })
  return { client, session: data.session }
}
