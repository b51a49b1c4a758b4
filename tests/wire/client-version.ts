/**
 * Which generation of the client a test runs with: the newest, or 2.30.0, which the specification's product was
 * built on. Each has its own project in vitest.config.ts.
 */
import type { createClient as newestCreateClient } from '@supabase/supabase-js'

const isOld = process.env['CLIENT'] === '2.30'

/** `createClient` of the generation; tests are written against the newest one's types. */
export const createClient: typeof newestCreateClient = isOld
  ? ((await import('supabase-js-2.30')).createClient as unknown as typeof newestCreateClient)
  : (await import('@supabase/supabase-js')).createClient

/** Whether this is 2.30.0: it reads no codes, and does not know recovery codes. */
export const isOldClient = isOld

/** How the client tells of a refusal: the old one has its status alone. */
export function refusal(status: number, code: string): { status: number; code?: string } {
  return isOld ? { status } : { status, code }
}

/** How the client tells that the session has ended. */
export const sessionEnded = isOld ? { status: 403 } : { name: 'AuthSessionMissingError' }
