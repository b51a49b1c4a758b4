/** Requests to `/rest/v1` without a client in between, for what the client would not send or not show. */
import type { Session } from '@supabase/supabase-js'
import { inject } from 'vitest'

export type RawAnswer = { status: number; headers: Headers; text: string; body: unknown }

type Options = {
  /** The session whose token is sent; the anon key without one. */
  as?: { session: Session }
  /** Goes as it is when it is text, as JSON otherwise. */
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

/** The headers of the operator's own programs. */
export function serviceHeaders(): Record<string, string> {
  const { serviceRoleKey } = inject('server')
  return { apikey: serviceRoleKey, authorization: `Bearer ${serviceRoleKey}` }
}
