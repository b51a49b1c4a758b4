/**
 * Origins of pages that may call this server: the site's own origin and the origins that the operator lists
 * (security.md HD-04, RT-04). Origins must match exactly, and the answer names the caller's origin instead of `*`
 * (fetch standard, "CORS protocol"). Error responses have the CORS headers too, because otherwise the page could not
 * read the error.
 */
import type { FastifyInstance } from 'fastify'

/** Origins in the form that browsers send, e.g. `https://bank.example`. */
export type Origins = { readonly allows: (origin: string) => boolean }

/**
 * Returns the allowed origins: the site's own origin and the origins that the operator lists. If the site has the
 * default address, the loopback names on its port are allowed too.
 */
export function allowedOrigins(site: {
  readonly siteUrl: string
  readonly isDefaultSite: boolean
  readonly port: number
  readonly further: readonly string[]
}): Origins {
  const origins = new Set([new URL(site.siteUrl).origin, ...site.further])
  if (site.isDefaultSite) {
    for (const host of ['localhost', '127.0.0.1', '[::1]']) origins.add(`http://${host}:${site.port}`)
  }
  return { allows: (origin) => origins.has(origin) }
}

const methods = 'GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS'
const exposedHeaders =
  'X-Supabase-Api-Version, X-Total-Count, Link, Content-Range, Content-Location, Location, Range-Unit, Preference-Applied, Retry-After, X-Request-Id'
const preflightLifeSeconds = 86_400

/** Adds the headers to every answer to an allowed origin, and answers preflight requests. */
export function addCors(app: FastifyInstance, origins: Origins): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    // The Vary header is set even if the request has no Origin header, because a cache must not serve this answer to a
    // page from another origin.
    void reply.header('vary', 'Origin')
    if (origin === undefined || !origins.allows(origin)) {
      if (request.method === 'OPTIONS') void reply.code(origin === undefined ? 204 : 403).send()
      else done()
      return
    }
    void reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', exposedHeaders)
    if (request.method !== 'OPTIONS') {
      done()
      return
    }
    const requested = request.headers['access-control-request-headers']
    if (requested !== undefined) void reply.header('access-control-allow-headers', requested)
    void reply
      .header('access-control-allow-methods', methods)
      .header('access-control-max-age', preflightLifeSeconds)
      .code(204)
      .send()
  })
}
