/**
 * Credentials of a request: the project's `apikey`, which a hosted project's gateway requires too, and the bearer
 * token. The service key is refused when a browser sends it (security.md AZ-07).
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'

export type ApiKeyRole = 'anon' | 'service_role'

/** The key's role, or the body of the 401 response. A hosted project's gateway sends the same body. */
export type ApiKeyVerdict = { ok: true; role: ApiKeyRole } | { ok: false; message: string; hint: string }

/**
 * Reads the request's API key from the header. A WebSocket's key is read from the query, because browsers cannot set
 * headers on WebSocket requests.
 */
export function readApiKey(
  request: { readonly headers: IncomingHttpHeaders },
  keys: AcceptedApiKeys,
  fromQuery?: string,
): ApiKeyVerdict {
  const header = request.headers['apikey']
  const presented = typeof header === 'string' ? header : fromQuery
  if (presented === undefined || presented === '') {
    return {
      ok: false,
      message: 'No API key found in request',
      hint: 'No `apikey` request header or url param was found.',
    }
  }
  const { accepted } = keys
  const isOneOf = (...known: readonly (string | undefined)[]) =>
    known.some((key) => key !== undefined && isSame(presented, key))
  if (isOneOf(keys.anonKey, accepted?.anonKey)) return { ok: true, role: 'anon' }
  if (isOneOf(keys.serviceRoleKey, accepted?.serviceRoleKey) && !isOfBrowser(request.headers)) {
    return { ok: true, role: 'service_role' }
  }
  return {
    ok: false,
    message: 'Invalid API key',
    hint: 'Double check your Supabase `anon` or `service_role` API key.',
  }
}

/**
 * Values of `Sec-Fetch-Mode` that do not identify a browser, because Node's `fetch` and `WebSocket` send them too. The
 * WebSocket of a browser is identified by its `Origin` header.
 */
const modesOfNode = ['cors', 'websocket']

/**
 * Detects a browser by checking several headers. Browsers omit `Origin` from same-site GET requests, and omit
 * `Sec-Fetch-*` from requests over plain http, except to loopback addresses. The user agent of a browser always begins
 * with `Mozilla/`, which a hosted project's gateway checks too.
 */
function isOfBrowser(headers: IncomingHttpHeaders): boolean {
  const { origin, 'user-agent': agent = '', 'sec-fetch-mode': mode = 'cors' } = headers
  return (
    origin !== undefined ||
    headers['sec-fetch-site'] !== undefined ||
    headers['sec-fetch-dest'] !== undefined ||
    !modesOfNode.includes(mode) ||
    headers.referer !== undefined ||
    agent.startsWith('Mozilla/')
  )
}

function isSame(presented: string, key: string): boolean {
  const a = Buffer.from(presented)
  const b = Buffer.from(key)
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750), or `null` without this header. */
export function readBearer(request: FastifyRequest): string | null {
  const match = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '')
  return match?.[1] ?? null
}
