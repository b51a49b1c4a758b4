import type { SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '@finanzas/contract/database-types.ts'
import { loadCreateClient } from './client-library.ts'
import { backendUrl, configuration } from './configuration.ts'

export type BackendClient = SupabaseClient<Database>

let client: Promise<BackendClient> | undefined

/**
 * The one client. The library is fetched when it is first needed, so that the login form is on screen
 * before it arrives; everything about the client is the library's default, but for recovery codes, which the
 * library keeps behind a flag.
 */
export function backend(): Promise<BackendClient> {
  client ??= createBackendClient()
  return client
}

async function createBackendClient(): Promise<BackendClient> {
  try {
    const createClient = await loadCreateClient()
    return createClient<Database>(backendUrl(), configuration().anonKey, {
      auth: { experimental: { recoveryCodes: true } },
    })
  } catch (error) {
    // A later call may find the network back.
    client = undefined
    throw error
  }
}
