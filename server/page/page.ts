/**
 * The built page and its configuration: `/config.json`, the manifest, `/health`, `/ready`, `/estado`, and the files of
 * `web/dist`. For a path without a file extension, the server sends the page, which chooses the view by the path. For a
 * path with a file extension, the server sends the file or 404; but a browser that navigates to this path gets the page
 * instead of 404.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { PageConfiguration } from '@finanzas/contract/wire/configuration.ts'
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { DatabaseWatch } from '#database/watch.ts'
import { notePlannedRefusal } from '#http/log.ts'
import { retryAfterSeconds } from '#http/wire-error.ts'
import { type Serve, fileServer } from './files.ts'
import { webAppManifest } from './manifest.ts'
import { publicStatusPage, publicStatusPolicy, publicStatusSeconds } from './public-status.ts'
import { contentSecurityPolicy } from './security-headers.ts'

/**
 * Maximum wait for the database in `/ready`. This wait is shorter than the timeout of the proxy's health checks, after
 * which the proxy treats the server as hung (deploy/haproxy.cfg).
 */
const databaseWaitMs = 1500

/** The facts about this server that the page's paths tell. */
type PageServices = {
  readonly siteUrl: string
  readonly configuration: PageConfiguration
  readonly watch: DatabaseWatch
  /** True if the last check has found an error in the ledger. `/ready` then answers `degraded` with status 200. */
  readonly isDegraded: () => boolean
  readonly isDraining: () => boolean
  /** Time since which the server serves the bank; `null` if this time is not known yet. */
  readonly servingSince: () => string | null
  /** Time at which the database's outage began, in milliseconds since 1970; `null` while the database answers. */
  readonly awaySince: () => number | null
}

/** Serves every path that does not belong to a surface. */
export function page(services: PageServices): FastifyPluginCallback {
  const { siteUrl, configuration } = services
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
    app.get('/ready', (request, reply) => sendReadiness(services, request, reply))
    app.get('/estado', (_request, reply) => sendPublicStatus(services, reply))
    // Without this route, a Prometheus server that scrapes the wrong port would get the page's HTML.
    app.get('/metrics', (_request, reply) =>
      reply
        .code(404)
        .type('text/plain; charset=utf-8')
        .send('Las métricas están en METRICS_PORT, no en este puerto.\n'),
    )
    app.route({
      method: ['GET', 'HEAD'],
      url: '/*',
      handler: (request, reply) => sendFile({ serveFile, ...services }, request, reply),
    })
    done()
  }
}

async function sendReadiness(
  { watch, isDegraded, isDraining }: PageServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
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
}

/** Reads only the memory of this process, so that any number of people can request the page during an outage. */
function sendPublicStatus(
  { watch, configuration, servingSince, awaySince }: PageServices,
  reply: FastifyReply,
): FastifyReply {
  const isUp = !watch.isAway && !watch.clockDiffers
  const awayAt = awaySince()
  const outageSince = awayAt === null ? null : new Date(awayAt).toISOString()
  const since = isUp ? servingSince() : outageSince
  if (!isUp) void reply.code(503).header('retry-after', retryAfterSeconds)
  return reply
    .header('cache-control', isUp ? `public, max-age=${publicStatusSeconds}` : 'no-store')
    .header('content-security-policy', publicStatusPolicy)
    .type('text/html; charset=utf-8')
    .send(publicStatusPage({ brandName: configuration.brandName, isUp, since }))
}

function sendFile(
  { serveFile, isDraining }: Pick<PageServices, 'isDraining'> & { readonly serveFile: Serve },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.hijack()
  // Sets the header here, because the hook that sets it on other responses does not run for a hijacked response.
  if (isDraining()) reply.raw.setHeader('connection', 'close')
  // Ignores the Range header, because the page's files are small and an invalid range would leave the request without an
  // answer.
  delete request.raw.headers.range
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  serveFile(request.raw, reply.raw, () => {
    reply.raw.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('No existe.')
  })
}
