/** Several servers of one bank: one PostgreSQL, one secret, one address at which people reach them. */
import { randomUUID } from 'node:crypto'
import type { SupabaseClient } from '@supabase/supabase-js'
import { clientOf } from './client.ts'
import { type Program, emptyDirectory, startProgram, untilReady } from './server-program.ts'

const administrator = { email: 'admin@finanzas.local', password: 'una clave larga' }
const secret = `a secret that several servers share ${randomUUID()}`

/** Starts one more on a database, by the variables that name it. */
export async function startOn(database: Record<string, string>): Promise<Program> {
  const program = await startProgram({
    DATA_DIR: await emptyDirectory(),
    ADMIN_PASSWORD: administrator.password,
    AUTH_RATE_LIMITS: 'off',
    JWT_SECRET: secret,
    // The one address at which people reach them: what one of them signs is for all.
    SITE_URL: 'http://localhost',
    ...database,
  })
  await untilReady(program)
  return program
}

/** The administrator, signed in at one of them. */
export async function signIn(program: Program): Promise<{ client: SupabaseClient; userId: string }> {
  const client = await clientOf(program)
  const { data, error } = await client.auth.signInWithPassword(administrator)
  if (data.user === null) throw new Error('Signing in failed.', { cause: error })
  return { client, userId: data.user.id }
}

/** The same person at another server, in the same session. */
export async function carry(from: SupabaseClient, to: Program): Promise<SupabaseClient> {
  const client = await clientOf(to)
  const { data } = await from.auth.getSession()
  if (data.session === null) throw new Error('There is no session to carry.')
  const { error } = await client.auth.setSession(data.session)
  if (error !== null) throw error
  return client
}

/** Records an expense. */
export const record = (client: SupabaseClient, userId: string, id: string = randomUUID()) =>
  client.from('transactions').insert({ id, user_id: userId, type: 'expense', description: 'x', amount: 1 })
