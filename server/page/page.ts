/**
 * The built page and its configuration: `/config.json`, its manifest, `/health`, `/ready`, and files of `web/dist`.
 * Every address without a file of its own gets the page, which knows its routes; a path that looks like a file is a
 * file or 404, unless a browser navigates to it.
 */
import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { PageConfiguration } from '@finanzas/contract/configuration.ts'
import type { FastifyPluginCallback } from 'fastify'
import sirv from 'sirv'
import type { DatabaseWatch } from '#database/watch.ts'
import { notePlannedRefusal } from '#http/log.ts'
import { retryAfterSeconds } from '#http/wire-error.ts'
import { webAppManifest } from './manifest.ts'
import { contentSecurityPolicy } from './security-headers.ts'

/** A proxy gives up a check that takes longer, and takes the server for one that hangs (deploy/haproxy.cfg). */
const databaseWaitMs = 1500

const builtPage = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** Serves everything that is not a surface of the wire. */
export function page(services: {
  readonly siteUrl: string
  readonly configuration: PageConfiguration
  readonly watch: DatabaseWatch
  /** Whether a check found the ledger broken: an alarm, not an outage. */
  readonly isDegraded: () => boolean
  readonly isDraining: () => boolean
}): FastifyPluginCallback {
  const { siteUrl, configuration, watch, isDegraded, isDraining } = services
  const serveFile = fileServer(contentSecurityPolicy({ siteUrl, ...configuration }))

  return (app, _options, done) => {
    app.get('/config.json', (_request, reply) =>
      reply.header('cache-control', 'no-store').send(configuration),
    )

    app.get('/manifest.webmanifest', (_request, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('application/manifest+json; charset=utf-8')
        .send(JSON.stringify(webAppManifest(configuration))),
    )

    app.get('/health', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))

    app.get('/ready', async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const notReady = (status: string) =>
        reply.code(503).header('retry-after', retryAfterSeconds).send({ status })
      if (isDraining()) {
        notePlannedRefusal(request)
        return notReady('draining')
      }
      const answers = watch.ask().then(
        () => true,
        () => false,
      )
      const isThere = await Promise.race([answers, pause(databaseWaitMs, false, { ref: false })])
      if (!isThere) return notReady('unavailable')
      if (watch.clockDiffers) return notReady('clock')
      return reply.send({ status: isDegraded() ? 'degraded' : 'ok' })
    })

    // The page would be answered otherwise, and Prometheus would read HTML.
    app.get('/metrics', (_request, reply) =>
      reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('Las métricas están en METRICS_PORT, no en este puerto.\n'),
    )

    app.route({
      method: ['GET', 'HEAD'],
      url: '/*',
      handler(request, reply) {
        void reply.hijack()
        // Sent past the hook that does it for other answers.
        if (isDraining()) reply.raw.setHeader('connection', 'close')
        // The page's files are small, and a range that makes no sense would leave the request without an answer.
        delete request.raw.headers.range
        for (const [name, value] of Object.entries(reply.getHeaders())) {
          if (value !== undefined) reply.raw.setHeader(name, value)
        }
        serveFile(request.raw, reply.raw, () => {
          reply.raw.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('No existe.')
        })
      },
    })
    done()
  }
}

type Serve = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Hands out the files of the built page; without a build the request goes on. */
function fileServer(policy: string): Serve {
  // The surfaces work without a page: a server for tests or for another front end is not built with one.
  if (!existsSync(join(builtPage, 'index.html'))) return (_request, _response, next) => next()
  const server = (ignores: false | RegExp) =>
    sirv(builtPage, {
      etag: true,
      brotli: true,
      gzip: true,
      single: true,
      ignores,
      setHeaders(response, path) {
        // Files with a hash in their name never change; everything else is revalidated.
        response.setHeader(
          'cache-control',
          path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
        response.setHeader('content-security-policy', policy)
      },
    })
  const serveFile = server(/\/[^/]*\.[^/]*$/)
  const servePage = server(false)
  return (request, response, next) =>
    isNavigation(request) ? servePage(request, response, next) : serveFile(request, response, next)
}

/** True when a browser navigates to the address. A path below `/assets/` never is one. */
function isNavigation({ url = '', headers }: IncomingMessage): boolean {
  return headers.accept?.includes('text/html') === true && !url.startsWith('/assets/')
}
