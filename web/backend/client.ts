import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '@finanzas/contract/database-types.ts'
import { backendUrl, configuration } from './configuration.ts'
import { fetchNotingWait } from './wait.ts'

export type BackendClient = SupabaseClient<Database>

let client: Promise<BackendClient> | undefined

/**
 * The one client. The library is fetched when it is first needed, so that the login form is on screen
 * before it arrives. Not the library's default are recovery codes, which it keeps behind a flag, and PKCE: by itself it
 * takes codes of links that this browser has asked for, and no tokens in the address (`LinkPage` does).
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
    // A later call tries again.
    client = undefined
    throw error
  }
}

/** Calls the auth service; throws its error. */
export async function callAuth<Answer extends { error: Error | null }>(
  call: (auth: BackendClient['auth']) => Promise<Answer>,
): Promise<Answer & { error: null }> {
  const { auth } = await backend()
  const answer = await call(auth)
  if (answer.error !== null) throw answer.error
  return answer as Answer & { error: null }
}

/** A client that stores nothing: it opens a link before the page's own session is touched. */
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

/** The client's code is a third of what runs at a start: it runs when the first frame is on the screen. */
export function runClientAfter(frame: Promise<unknown>): void {
  firstFrame = frame
}

/** Starts to fetch the client's code without running it; the built page names it (vite.config.ts). */
export function fetchClientCode(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="client-code"]')
  if (named === null) return
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = named.content
  document.head.append(link)
}

async function loadCreateClient() {
  await firstFrame
  const { createClient } = await import('@supabase/supabase-js')
  return createClient
}
