/** The whole server on one page: URL prefix → surface. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { PageConfiguration } from '@finanzas/contract/configuration.ts'
import { bodyBytesMax, headersBytesMax } from '@finanzas/contract/limits.ts'
import { LogController, fastify } from 'fastify'
import { authSurface } from '#auth/surface.ts'
import type { Config } from '#settings/config.ts'
import type { ChangeFeed } from '#realtime/changes/feed.ts'
import { runAsRequest } from '#overload/admission.ts'
import { type AdmissionQueue, queueTimeoutMs } from '#overload/admission-queue.ts'
import type { Database } from '#database/database.ts'
import { describeOutage } from '#database/postgres/explain-failure.ts'
import { withoutQuota } from '#database/scope.ts'
import { DatabaseWatch } from '#database/watch.ts'
import { functionsSurface } from '#functions/surface.ts'
import { addCompression } from '#http/compression.ts'
import { type Origins, addCors } from '#http/cors.ts'
import { logEvent } from '#http/events.ts'
import { addFramingCheck, handleClientError } from '#http/framing.ts'
import { addRequestLog, loggerOptions, warnOfUntrustedProxy } from '#http/log.ts'
import { boundPipelining, unansweredOn } from '#http/connections.ts'
import { networkOf } from '#http/network.ts'
import { purgeExpired } from '#identity/retention.ts'
import type { Passwords } from '#identity/password/passwords.ts'
import { noticingStaffWrites, postBatches } from '#ledger/batches.ts'
import { checkDaily } from '#ledger/daily-check.ts'
import { recordDueExpenses } from '#ledger/recurring.ts'
import { applicationMetrics } from '#metrics/application.ts'
import { countRequests } from '#metrics/requests.ts'
import type { Mailer } from '#mail/mailer.ts'
import { page } from '#page/page.ts'
import { statementKeys } from '#page/statement-keys.ts'
import { commonHeaders } from '#page/security-headers.ts'
import { openRealtime } from '#realtime/surface.ts'
import { readUpgrade, realtimeHttp } from '#realtime/connection/upgrade.ts'
import { createSchemaCache } from '#rest/schema/cache.ts'
import { restSurface } from '#rest/surface.ts'
import { countingRefusedWrites } from '#throttle/refused-writes.ts'
import type { Throttle } from '#throttle/throttle.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import type { Keys } from '#tokens/keys.ts'
import type { RefreshTokenKey } from '#tokens/refresh-token.ts'

/** The parts that the surfaces need, built once in `start.ts`. */
export type Services = {
  readonly config: Config
  /** The database behind the admission queue. */
  readonly database: Database
  readonly queue: AdmissionQueue
  readonly changes: ChangeFeed
  readonly tokenKey: TokenKey
  readonly refreshTokenKey: RefreshTokenKey
  readonly keys: Keys
  readonly apiKeys: AcceptedApiKeys
  readonly origins: Origins
  readonly mailer: Mailer
  readonly throttle: Throttle
  readonly passwords: Passwords
  readonly isDraining: () => boolean
}

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- Only an interface can be added to.
  interface FastifyContextConfig {
    /** Set on routes that are never shed under load, such as sign-out. */
    isNotShed?: true
  }
}

// Timeouts for slow clients (security.md DO-01).
const headersTimeoutMs = 5000
const requestTimeoutMs = 10_000
/** Longer than the 60 s of common proxies, so that a proxy never reuses a connection that has just been closed here. */
const keepAliveTimeoutMs = 75_000
/**
 * Maximum time without traffic on a connection, so that unread answers do not keep it open. Covers the wait in the
 * queue and the work that follows.
 */
const standstillTimeoutMs = queueTimeoutMs + 10_000
/** Interval of Node's check for slow clients. Its default is 30 s. */
const slownessCheckMs = 1000

/** Length of PostgreSQL's longest name when each of its bytes is percent-encoded. */
const nameLengthMax = 3 * 63

const noBucket = { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found' }
const noGraphql = { errors: [{ message: 'There is no GraphQL here' }] }

/** Registers the surfaces. The returned application does not listen yet. */
export function createApp(services: Services) {
  const { config, database, queue, tokenKey, apiKeys, origins } = services
  // Files of the page set their own Cache-Control.
  const headers = { ...commonHeaders(config.siteUrl), 'cache-control': 'no-store' }
  const refuse = handleClientError(headers)
  const app = fastify({
    logger: loggerOptions(config.logLevel, { isTerminal: process.stdout.isTTY }),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length === 0 ? false : config.trustProxy,
    bodyLimit: bodyBytesMax,
    routerOptions: { maxParamLength: nameLengthMax },
    http: {
      maxHeaderSize: headersBytesMax,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: slownessCheckMs,
      // The framing check refuses requests without a Host header.
      requireHostHeader: false,
      // An upgrade on a connection with unanswered requests is refused: their answers and the WebSocket's frames
      // would mix.
      shouldUpgradeCallback: (request) =>
        unansweredOn(request.socket) === 0 && readUpgrade(request, services).ok,
    },
    clientErrorHandler: refuse,
    requestTimeout: requestTimeoutMs,
    connectionTimeout: standstillTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // While the server closes, requests on open connections are served with `connection: close`.
    return503OnClosing: false,
    // Fastify calls no route and no hook for an address that cannot be decoded.
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
    // A kept-alive connection could carry the next request at the moment at which the server closes it.
    if (services.isDraining()) void reply.header('connection', 'close')
    done(null, payload)
  })
  if (config.trustProxy.length === 0) warnOfUntrustedProxy(app)
  boundPipelining(app)
  addFramingCheck(app)
  addCors(app, origins)
  addCompression(app)

  const schemas = createSchemaCache(database)
  const posting = postBatches(database, (error) => app.log.error(error, 'batches could not be posted'))
  app.addHook('onClose', posting.end)
  const tableDatabase = noticingStaffWrites(
    config.rateLimits ? countingRefusedWrites(database, services.throttle) : withoutQuota(database),
    posting.begin,
  )
  void app.register((surfaces, _options, done) => {
    // Runs after the body has arrived, so that a slow upload does not hold a place in the queue.
    surfaces.addHook('preHandler', ({ ip, routeOptions }, { raw }, handle) =>
      runAsRequest(
        {
          flow: networkOf(ip),
          isNotShed: routeOptions.config.isNotShed === true,
          isAborted: () => raw.destroyed,
        },
        handle,
      ),
    )
    void surfaces.register(authSurface(services), { prefix: '/auth/v1' })
    void surfaces.register(restSurface({ database: tableDatabase, tokenKey, apiKeys, schemas }), {
      prefix: '/rest/v1',
    })
    void surfaces.register(functionsSurface(services), { prefix: '/functions/v1' })
    void surfaces.register(statementKeys(database))
    done()
  })
  void app.register(realtimeHttp(services), { prefix: '/realtime/v1' })
  // The product stores no files and has no GraphQL: 404, in the format of each service.
  void app.register((absent, _options, done) => {
    // Clients upload files as forms and as bytes of any type.
    absent.removeAllContentTypeParsers()
    absent.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, parsed) => parsed(null))
    absent.all('/storage/v1/*', (_request, reply) => reply.code(404).send(noBucket))
    absent.all('/graphql/v1', (_request, reply) => reply.code(404).send(noGraphql))
    done()
  })
  const ledgerCheck = checkDaily(database, {
    onBroken: (line) => logEvent(app.log, 'ALARM: the ledger does not verify', { ...line }),
    onVerified: (line) => logEvent(app.log, 'the ledger verifies', { ...line }),
    onFailure: (error) => app.log.error({ err: error }, 'the ledger could not be verified'),
  })
  app.addHook('onClose', () => ledgerCheck.close())
  const endSweeping = purgeExpired(database, (error) => app.log.error(error, 'nothing could be swept away'))
  app.addHook('onClose', endSweeping)
  const endRecording = recordDueExpenses(database, (error) =>
    app.log.error(error, 'recurring expenses could not be recorded'),
  )
  app.addHook('onClose', endRecording)
  const watch = new DatabaseWatch(database, {
    onAway: (error) =>
      logEvent(app.log, 'ALARM: the database does not answer', describeOutage(error, config.database?.url)),
    onBack: (awaySeconds) => logEvent(app.log, 'the database answers again', { awaySeconds }),
    onLongAway() {
      // The embedded engine is in this process, so no other server could take the sockets.
      if (database.engine === 'postgres')
        logEvent(app.log, 'sockets are sent elsewhere', { sockets: realtime.disconnectAll() })
    },
    onClockDiffers: (offsetSeconds) =>
      logEvent(app.log, 'ALARM: the clock differs from the database’s', { offsetSeconds }),
  })
  app.addHook('onClose', () => watch.close())
  void app.register(
    page({
      siteUrl: config.siteUrl,
      configuration: pageConfiguration(services),
      watch,
      isDegraded: () => ledgerCheck.isBroken || schemas.isUnreadable(),
      isDraining: services.isDraining,
    }),
  )

  const realtime = openRealtime({ ...services, log: app.log })
  app.server.on('upgrade', realtime.handleUpgrade)
  // Node's own 417 would lack the security headers. A server may ignore an expectation (RFC 9110 §10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket: Socket) => refuse({}, socket))
  // Sockets are closed first, because open ones would keep the server from closing.
  app.addHook('preClose', () => realtime.close())
  return {
    fastify: app,
    metrics: [
      ...requestMetrics,
      ...applicationMetrics({
        database,
        queue,
        realtime,
        watch,
        ledger: ledgerCheck,
        isDraining: services.isDraining,
      }),
    ],
  }
}

function pageConfiguration({ config, apiKeys }: Services): PageConfiguration {
  return {
    // By default the page calls the origin from which it was opened, so both localhost and 127.0.0.1 work.
    supabaseUrl: config.isDefaultSite ? '' : config.siteUrl,
    anonKey: apiKeys.anonKey,
    brandName: config.brandName,
    displayCurrency: config.displayCurrency,
    avatarUrl: config.avatarUrl,
    chartUrl: config.chartUrl,
    passwordLengthMin: config.passwordLengthMin,
  }
}
