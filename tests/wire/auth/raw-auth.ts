/** Requests to `/auth/v1` without a client in between, for what the client would not send or not show. */
import { inject } from 'vitest'

export type RawAnswer = { status: number; headers: Headers; text: string; body: unknown }

/**
 * Sends a request with the anon key, as a client of the newest API version; `token` is the bearer's. `body` goes as it is
 * when it is text, as JSON otherwise.
 */
export async function rawAuth(
  method: string,
  path: string,
  { body, token, headers = {} }: { body?: unknown; token?: string; headers?: Record<string, string> } = {},
): Promise<RawAnswer> {
  const { url, anonKey } = inject('server')
  const answer = await fetch(`${url}/auth/v1${path}`, {
    method,
    headers: {
      apikey: anonKey,
      'content-type': 'application/json;charset=UTF-8',
      'x-supabase-api-version': '2024-01-01',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, body: parse(text) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
