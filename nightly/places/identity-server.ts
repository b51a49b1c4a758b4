/** A server for the suites of identity, with people who are signed in. */
import { type SupabaseClient, createClient } from '@supabase/supabase-js'
import { startCluster } from '#testing/cluster.ts'
import type { Engine } from '#nightly/report/figure.ts'
import { embeddedDataDirectory, temporaryDirectory } from './place.ts'
import { type ServerProcess, serverProcess } from './server-process.ts'

export type IdentityServer = {
  readonly url: string
  readonly anonKey: string
  readonly dataDir: string
  readonly process: ServerProcess
  /** The database goes away for so long; PostgreSQL only. */
  readonly withoutDatabase: (during: () => Promise<void>) => Promise<void>
  /** The cluster's programs, and its superuser's address of the bank; PostgreSQL only. */
  superuser(): { readonly binaries: string; readonly url: string }
  client(): SupabaseClient
  /** Somebody new, in a session of their own. */
  signUp(): Promise<Account>
  /** The client of an operator's program: it holds the service key. */
  operator(): Promise<SupabaseClient>
  close(): Promise<void>
}

export type Account = {
  readonly email: string
  readonly password: string
  readonly token: string
  readonly refreshToken: string
  readonly client: SupabaseClient
}

/** Starts it on an empty bank; whoever signs up is signed in at once, and no limit is on. */
export async function identityServer(
  engine: Engine,
  options: { environment?: Record<string, string>; nodeArguments?: readonly string[] } = {},
): Promise<IdentityServer> {
  const directory = engine === 'embedded' ? await embeddedDataDirectory() : await temporaryDirectory()
  const cluster = engine === 'embedded' ? null : await startCluster({ isDurable: true })
  const process = await serverProcess({
    dataDir: directory.path,
    ...options,
    environment: { ...(cluster === null ? {} : { DATABASE_URL: cluster.ownerUrl }), ...options.environment },
  })
  await process.start()
  const anonKey = await process.anonKey()
  const client = () =>
    createClient(process.url, anonKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    })
  return {
    url: process.url,
    anonKey,
    dataDir: directory.path,
    process,
    async withoutDatabase(during) {
      await cluster?.kill()
      try {
        await during()
      } finally {
        await cluster?.restart()
      }
    },
    superuser() {
      if (cluster === null) throw new Error('The embedded engine has no superuser.')
      const url = new URL(cluster.url)
      url.pathname = new URL(cluster.ownerUrl).pathname
      return { binaries: cluster.binaries, url: url.href }
    },
    client,
    async signUp() {
      const person = client()
      const credentials = {
        email: `${crypto.randomUUID()}@banco.example`,
        password: `clave ${crypto.randomUUID()}`,
      }
      const { data, error } = await person.auth.signUp(credentials)
      if (data.session === null) throw new Error('Nobody was signed in.', { cause: error })
      const { access_token: token, refresh_token: refreshToken } = data.session
      return { ...credentials, token, refreshToken, client: person }
    },
    async operator() {
      return createClient(process.url, await process.serviceRoleKey(), {
        auth: { persistSession: false, autoRefreshToken: false },
      })
    },
    async close() {
      await process.end('SIGTERM')
      await cluster?.stop()
      await directory.remove()
    },
  }
}
