/**
 * Creates the Fastify application with its limits and with the hooks that run for every request. The surfaces are added
 * later.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { bodyBytesMax, headersBytesMax } from '@finanzas/contract/limits.ts'
import { LogController, fastify } from 'fastify'
import type { Config } from '#settings/config.ts'
import { queueTimeoutMs } from '#overload/admission-queue.ts'
import { addCompression } from '#http/compression.ts'
import { type Origins, addCors } from '#http/cors.ts'
import { addFramingCheck, handleClientError } from '#http/framing.ts'
import { addRequestLog, loggerOptions, warnOfUntrustedProxy } from '#http/log.ts'
import { boundPipelining, unansweredOn } from '#http/connections.ts'
import { countRequests } from '#metrics/requests.ts'
import { commonHeaders } from '#page/security-headers.ts'

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Properties can be added only to an interface.
  interface FastifyContextConfig {
    /** True on a route whose requests are not shed under overload, such as sign-out. */
    isNotShed?: true
    /** True on a route whose requests go before the user's other requests, such as a change of the password. */
    isUrgent?: true
  }
}

// Timeouts for slow clients (security.md DO-01).
const headersTimeoutMs = 5000
const requestTimeoutMs = 10_000
/**
 * Time after which the server closes an idle connection. Common proxies keep idle connections for 60 s. The server's
 * time is longer, so that a proxy never reuses a connection that the server has just closed.
 */
const keepAliveTimeoutMs = 75_000
/**
 * Maximum time without traffic on a connection. This timeout also ends the connection of a client that does not read
 * its answers. The timeout is longer than the maximum wait in the queue plus the work after it.
 */
const standstillTimeoutMs = queueTimeoutMs + 10_000
/** Interval at which Node checks for slow clients. Node's default is 30 s. */
const slownessCheckMs = 1000

/** Length of the longest PostgreSQL identifier when every byte is percent-encoded. */
const nameLengthMax = 3 * 63

type Options = {
  readonly config: Config
  readonly origins: Origins
  readonly isDraining: () => boolean
  /** Returns true if the request may be upgraded to a WebSocket. */
  readonly mayUpgrade: (request: IncomingMessage) => boolean
}

/**
 * Returns the application, the handler that refuses unreadable requests, and the metrics of the application's
 * requests.
 */
export function createHttpApplication({ config, origins, isDraining, mayUpgrade }: Options) {
  // Cache-Control of every response. The responses with the page's files replace it by a value of their own.
  const headers = { ...commonHeaders(config.siteUrl), 'cache-control': 'no-store' }
  const refuse = handleClientError(headers)
  const app = fastify({
    logger: loggerOptions(config.logLevel, { isTerminal: process.stdout.isTTY }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length === 0 ? false : config.trustProxy,
    bodyLimit: bodyBytesMax,
    routerOptions: {
      maxParamLength: nameLengthMax,
      // The endpoints read the URL themselves. Reading a long query twice would take server time away from other
      // customers, also for a refused request.
      querystringParser: () => ({}),
    },
    http: {
      maxHeaderSize: headersBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: slownessCheckMs,
      // The framing check refuses requests without a Host header.
      requireHostHeader: false,
      // Refuses an upgrade on a connection with unanswered requests, because their answers would mix with the
      // WebSocket's frames.
      shouldUpgradeCallback: (request) => unansweredOn(request.socket) === 0 && mayUpgrade(request),
    },
    clientErrorHandler: refuse,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: standstillTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // While the server closes, requests on open connections are served with `connection: close`.
    return503OnClosing: false,
    // Fastify calls neither routes nor hooks for a URL that cannot be decoded.
    frameworkErrors: ({ statusCode = 400, code, message }, _request, reply) => {
      reply.raw
        .writeHead(statusCode, { ...headers, 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify({ code, message }))
    },
  })
  addRequestLog(app)
  const requestMetrics = countRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    // Without this header, a client could send the next request while the server closes the connection.
    if (isDraining()) void reply.header('connection', 'close')
    done(null, payload)
  })
  if (config.trustProxy.length === 0) warnOfUntrustedProxy(app)
  boundPipelining(app)
  addFramingCheck(app)
  addCors(app, origins)
  addCompression(app)
  return { app, refuse, requestMetrics }
}
