import type { SupabaseClient } from '@supabase/supabase-js'
import { backendUrl, configuration } from './configuration.ts'
import type { Database } from './database.ts'

export type BackendClient = SupabaseClient<Database>

let client: Promise<BackendClient> | undefined

/**
 * The one client. The library is fetched when it is first needed, so that the login form is on screen
 * before it arrives; everything about the client is the library's default.
 */
export function backend(): Promise<BackendClient> {
  client ??= createBackendClient()
  return client
}

async function createBackendClient(): Promise<BackendClient> {
  try {
    const { createClient } = await import('@supabase/supabase-js')
    return createClient<Database>(backendUrl(), configuration().anonKey)
  } catch (error) {
    // A later call may find the network back.
    client = undefined
    throw error
  }
}
