/**
 * Sends requests directly to `/auth/v1`, for tests in which the client would not send the request or would hide the
 * answer.
 */
import { inject } from 'vitest'

export type RawAnswer = { status: number; headers: Headers; text: string; body: unknown }

/**
 * Sends a request with the anon key and the newest API version. `token` is sent as the bearer token. A string `body` is
 * sent unchanged, and any other `body` is sent as JSON.
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
