/** Kinds of requests that the service worker distinguishes (see service-worker.ts). */
export type Kind = 'page' | 'configuration' | 'file' | 'none'

type Asked = { method: string; mode: string; url: string }

/** Paths at which the server never returns the application, even for a navigation request. */
const surfaces =
  /^\/(?:(?:auth|rest|functions|realtime|storage)\/v1(?:\/|$)|(?:health|ready|metrics|estado|verificar)$)/

/** Header that marks a cached answer, which is used only if the network gave no usable answer. */
export const keptHeader = 'x-kept'

/**
 * Classifies a request. The worker handles only the page, its configuration and its files. Requests for personal data
 * bypass the worker.
 */
export function kindOf({ method, mode, url }: Asked, origin: string): Kind {
  const { origin: host, pathname } = new URL(url)
  if (method !== 'GET' || host !== origin) return 'none'
  if (pathname.startsWith('/assets/')) return 'file'
  if (pathname === '/config.json') return 'configuration'
  const isFile = /\.[^/]*$/.test(pathname)
  return mode === 'navigate' && !isFile && !surfaces.test(pathname) ? 'page' : 'none'
}

/** Time after which a cached answer is used when the page starts. */
export const patienceMs = 4000

/**
 * Returns the network's answer. Returns the cached answer if the network fails or is too slow. An answer with a 5xx
 * status may come from a proxy, and the function then also returns the cached answer.
 */
export async function freshOrKept(
  asking: Promise<Response>,
  kept: Response | undefined,
  late: Promise<unknown>,
): Promise<Response> {
  if (kept === undefined) return asking
  try {
    const fresh = await Promise.race([asking, late])
    return fresh instanceof Response && fresh.status < 500 ? fresh : marked(kept)
  } catch {
    return marked(kept)
  }
}

function marked(kept: Response): Response {
  const headers = new Headers(kept.headers)
  headers.set(keptHeader, '1')
  return new Response(kept.body, { status: kept.status, headers })
}
