/** A server of a test's own, which it may stop and start again: same data, same address, same keys. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Session, type SupabaseClient, createClient } from '@supabase/supabase-js'
import { freePort } from '#testing/ports.ts'
import { untilReady } from '#testing/server.ts'
import { newAddress } from './screens.ts'

export type OwnServer = {
  readonly origin: string
  readonly jwtSecret: string
  start(): Promise<void>
  /** Ends it at once, as a power cut does. */
  kill(): Promise<void>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

/** Starts one on an empty directory, with further variables if need be. Who signs up there is confirmed at once. */
export async function startOwnServer(further: Readonly<Record<string, string>> = {}): Promise<OwnServer> {
  const [port, dataDir, jwtSecret] = [
    await freePort(),
    await mkdtemp(join(tmpdir(), 'finanzas-e2e-own-')),
    `${crypto.randomUUID()}${crypto.randomUUID()}`,
  ]
  const origin = `http://127.0.0.1:${port}`
  const env = {
    PATH: process.env['PATH'],
    PORT: String(port),
    DATA_DIR: dataDir,
    JWT_SECRET: jwtSecret,
    AUTH_AUTOCONFIRM: 'true',
    AUTH_RATE_LIMITS: 'off',
    AVATAR_URL: '',
    CHART_URL: '',
    LOG_LEVEL: 'error',
    ...further,
  }
  let running: ChildProcess | null = null
  const server: OwnServer = {
    origin,
    jwtSecret,
    async start() {
      running = spawn(process.execPath, ['server/main.ts'], {
        cwd: join(import.meta.dirname, '../..'),
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      await untilReady(origin, running)
    },
    async kill() {
      if (running === null) return
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
      running = null
    },
    async remove() {
      await server.kill()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
  try {
    await server.start()
  } catch (error) {
    await server.remove()
    throw error
  }
  return server
}

/** A new customer of that server: a client that is signed in, and the session that a page can have too. */
export async function newCustomer(
  origin: string,
): Promise<{ id: string; client: SupabaseClient; session: Session }> {
  const configuration = (await (await fetch(`${origin}/config.json`)).json()) as { anonKey: string }
  const client = createClient(origin, configuration.anonKey, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  })
  const credentials = { email: newAddress(), password: 'una clave larga y mía' }
  const { error: refusal } = await client.auth.signUp(credentials)
  if (refusal !== null) throw new Error('Signing up failed.', { cause: refusal })
  const { data, error } = await client.auth.signInWithPassword(credentials)
  if (data.session === null) throw new Error('Signing in failed.', { cause: error })
  return { id: data.session.user.id, client, session: data.session }
}
