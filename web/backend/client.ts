import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '@finanzas/contract/database-types.ts'
import { lazyCode } from '#lazy/lazy.ts'
import { backendUrl, configuration } from './configuration.ts'
import { fetchNotingWait } from './wait.ts'

export type BackendClient = SupabaseClient<Database>

let client: Promise<BackendClient> | undefined

/**
 * The only client. The library is fetched when it is first needed, so that the login form appears before it arrives.
 * Two settings differ from the library's defaults. A flag of the library enables recovery codes. With PKCE the client
 * itself accepts only the codes of links that this browser requested. It ignores tokens in the address, which
 * `LinkPage` handles.
 */
export function backend(): Promise<BackendClient> {
  client ??= createBackendClient()
  return client
}

async function createBackendClient(): Promise<BackendClient> {
  try {
    const createClient = await loadCreateClient()
    return createClient<Database>(backendUrl(), configuration().anonKey, {
      auth: { flowType: 'pkce', experimental: { recoveryCodes: true } },
      global: { fetch: fetchNotingWait },
    })
  } catch (error) {
    // The next call tries again.
    client = undefined
    throw error
  }
}

/** Calls the auth service. Throws the error of its answer. */
export async function callAuth<Answer extends { error: Error | null }>(
  call: (auth: BackendClient['auth']) => Promise<Answer>,
): Promise<Answer & { error: null }> {
  const { auth } = await backend()
  const answer = await call(auth)
  if (answer.error !== null) throw answer.error
  return answer as Answer & { error: null }
}

/** Creates a client that stores nothing. It opens a link without a change to the page's own session. */
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

/** Delays the client's code until `frame` resolves, because that code is a third of all code that runs at a start. */
export function runClientAfter(frame: Promise<unknown>): void {
  firstFrame = frame
}

/** Starts to fetch the client's code without running it. The built page contains its address (vite.config.ts). */
export function fetchClientCode(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="client-code"]')
  if (named === null) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = named.content
  document.head.append(link)
}

const createClientCode = lazyCode(async () => {
  // The bundler omits the exports that are not named here.
  const { createClient } = await import('@supabase/supabase-js')
  return { createClient }
}, 'createClient')

async function loadCreateClient() {
  await firstFrame
  return createClientCode.load()
}
