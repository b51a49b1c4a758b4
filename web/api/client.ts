import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '@finanzas/contract/database-types.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { deviceStorage } from '#storage/device-storage.ts'
import { backendUrl, configuration } from './configuration.ts'
import { createRenewingFetch } from './renewal.ts'
import { fetchNotingWait } from './wait.ts'

export type BackendClient = SupabaseClient<Database>

let client: Promise<BackendClient> | undefined

/**
 * Returns the page's only client. supabase-js is fetched when it is first needed, so that the login form does not wait
 * for it. Two settings differ from the library's defaults: an experimental flag enables recovery codes, and the PKCE
 * flow is used. With PKCE, the client accepts only codes from links that this browser requested, and it ignores tokens
 * in the URL, which `LinkPage` handles.
 */
export function backend(): Promise<BackendClient> {
  client ??= createBackendClient()
  return client
}

async function createBackendClient(): Promise<BackendClient> {
  try {
    const createClient = await loadCreateClient()
    const created: BackendClient = createClient<Database>(backendUrl(), configuration().anonKey, {
      auth: { storage: deviceStorage, flowType: 'pkce', experimental: { recoveryCodes: true } },
      global: { fetch: createRenewingFetch(fetchNotingWait, () => created.auth) },
    })
    return created
  } catch (error) {
    // After a failure, the next call starts a new attempt.
    client = undefined
    throw error
  }
}

/** Calls the auth service. Throws the error that the service's answer contains. */
export async function callAuth<Answer extends { error: Error | null }>(
  call: (auth: BackendClient['auth']) => Promise<Answer>,
): Promise<Answer & { error: null }> {
  const { auth } = await backend()
  const answer = await call(auth)
  if (answer.error !== null) throw answer.error
  return answer as Answer & { error: null }
}

/** Creates a client that stores nothing, for opening a link without changing the page's own session. */
export async function detachedClient(): Promise<BackendClient> {
  const createClient = await loadCreateClient()
  return createClient<Database>(backendUrl(), configuration().anonKey, {
    auth: {
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
      storageKey: 'link',
    },
  })
}

let firstFrame: Promise<unknown> = Promise.resolve()

/**
 * Delays running the client's code until `frame` resolves, because the client is a third of the code that runs when the
 * page starts.
 */
export function runClientAfter(frame: Promise<unknown>): void {
  firstFrame = frame
}

/**
 * Starts fetching the client's code, but does not run it. The built page contains the URL of this code
 * (vite.config.ts).
 */
export function fetchClientCode(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="client-code"]')
  if (named === null) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = named.content
  document.head.append(link)
}

const createClientCode = lazyCode(async () => {
  // The bundler leaves out all exports that are not destructured here.
  const { createClient } = await import('@supabase/supabase-js')
  return { createClient }
}, 'createClient')

async function loadCreateClient() {
  await firstFrame
  return createClientCode.load()
}
