/**
 * Sends requests directly to `/rest/v1`, for tests in which the client would not send the request or would hide the
 * answer.
 */
import type { Session } from '@supabase/supabase-js'
import { inject } from 'vitest'

export type RawAnswer = { status: number; headers: Headers; text: string; body: unknown }

type Options = {
  /** The session whose access token is sent. Without a session, the anon key is sent. */
  as?: { session: Session }
  /** A string is sent unchanged, and any other body is sent as JSON. */
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a request with the anon key. */
export async function rawRest(
  method: string,
  path: string,
  { as, body, headers = {} }: Options = {},
): Promise<RawAnswer> {
  const { url, anonKey } = inject('server')
  const answer = await fetch(`${url}/rest/v1${path}`, {
    method,
    headers: {
      apikey: anonKey,
      authorization: `Bearer ${as?.session.access_token ?? anonKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = /\bjson\b/.test(answer.headers.get('content-type') ?? '')
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
  }
}

/** Returns the request headers of a program that has the service key. */
export function serviceHeaders(): Record<string, string> {
  const { serviceRoleKey } = inject('server')
  return { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` }
}
