/**
 * A hosted project as the place where a function runs: SQL functions in the caller's name over the table API, the
 * authentication service for what only it can do, and the service key for what nobody may do in their own name.
 */
import { type SupabaseClient, type User, createClient } from '@supabase/supabase-js'
import type { Place } from '#server/functions/handlers/call.ts'
import { notSignedIn, sessionEnded, unavailable } from '#server/functions/handlers/refusals.ts'
import { ApiError } from './api-error.ts'
import { bankOf } from './bank.ts'
import { readCaller } from './caller.ts'
import type { Hands } from './hands.ts'
import type { Project } from './runtime.ts'

const alone = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false }

/** The place of one call; `authorization` is the header as it came. */
export function placeOf(project: Project, authorization: string | null): Place {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? null
  const service = createClient(project.url, project.serviceRoleKey, { auth: alone })
  let caller: User | null = null

  const hands = (): Hands => {
    if (caller === null || token === null) throw notSignedIn()
    return { caller, service, own: clientOf(project, token), visitor: clientOf(project, null) }
  }
  return {
    async admit() {
      if (token === null) throw notSignedIn()
      caller = await readCaller(service, token)
    },
    fingerprint: (body) => fingerprintOf(project.serviceRoleKey, body),
    bank: (key) => bankOf(hands(), key),
    databaseRefusalOf: (error) => (error instanceof ApiError ? error : null),
    refusalOf(error) {
      if (!(error instanceof ApiError)) return null
      if (error.isOutage) return unavailable(error)
      return error.isTokenRefused ? sessionEnded(error) : null
    },
    logDenied(denied) {
      console.warn(JSON.stringify({ msg: 'action denied', actor: hands().caller.id, ...denied }))
    },
  }
}

function clientOf({ url, anonKey }: Project, token: string | null): SupabaseClient {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  return createClient(url, anonKey, { auth: alone, global: { headers } })
}

/** HMAC-SHA-256 with a key that follows from the service key: nobody can try bodies against a copy of the database. */
async function fingerprintOf(secret: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new TextEncoder().encode(`request fingerprints ${secret}`)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, body))
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
