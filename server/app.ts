/** The whole server on one page: URL prefix → surface. */
import { randomUUID } from 'node:crypto'
import type { PageConfiguration } from '@finanzas/contract/configuration.ts'
import { bodyBytesMax, headersBytesMax } from '@finanzas/contract/limits.ts'
import { type FastifyInstance, LogController, fastify } from 'fastify'
import { authSurface } from '#auth/surface.ts'
import type { Config } from '#config.ts'
import type { ChangeFeed } from '#database/changes.ts'
import type { Database } from '#database/database.ts'
import { functionsSurface } from '#functions/surface.ts'
import { addCors } from '#http/cors.ts'
import { addRequestLog, loggerOptions } from '#http/log.ts'
import type { Origins } from '#http/origins.ts'
import type { Passwords } from '#identity/passwords.ts'
import type { Mailer } from '#mail/mailer.ts'
import { page } from '#page/page.ts'
import { commonHeaders } from '#page/security-headers.ts'
import { realtimeHttp } from '#realtime/http.ts'
import { openRealtime } from '#realtime/surface.ts'
import { restSurface } from '#rest/surface.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { ApiKeys } from '#tokens/api-keys.ts'
import type { RefreshTokenKey } from '#tokens/refresh-token.ts'

/** What the surfaces are made of: built once, in `start.ts`. */
export type Services = {
  readonly config: Config
  readonly database: Database
  readonly changes: ChangeFeed
  readonly tokenKey: TokenKey
  readonly refreshTokenKey: RefreshTokenKey
  readonly apiKeys: ApiKeys
  readonly origins: Origins
  readonly mailer: Mailer
  readonly passwords: Passwords
}

// Slow clients give up their place (security.md DO-01).
const headersTimeoutMs = 5000
const requestTimeoutMs = 10_000
const keepAliveTimeoutMs = 5000

const noBucket = { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found' }

/** Puts the surfaces together. The answer listens nowhere yet. */
export function createApp(services: Services): FastifyInstance {
  const { config, database, tokenKey, apiKeys, origins } = services
  // Files of the page say themselves how long they are kept.
  const headers = { ...commonHeaders(config.siteUrl), 'cache-control': 'no-store' }
  const app = fastify({
    logger: loggerOptions(config.logLevel),
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy === false ? false : [...config.trustProxy],
    bodyLimit: bodyBytesMax,
    http: { maxHeaderSize: headersBytesMax, headersTimeout: headersTimeoutMs },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    forceCloseConnections: 'idle',
    // An address that cannot be decoded reaches no route and no hook.
    frameworkErrors: ({ statusCode = 400, code, message }, _request, reply) => {
      reply.raw
        .writeHead(statusCode, { ...headers, 'content-type': 'application/json; charset=utf-8' })
        .end(JSON.stringify({ code, message }))
    },
  })
  addRequestLog(app)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers).header('x-request-id', request.id)
    done()
  })
  addCors(app, origins)

  void app.register(authSurface(services), { prefix: '/auth/v1' })
  void app.register(restSurface({ database, tokenKey, apiKeys }), { prefix: '/rest/v1' })
  void app.register(functionsSurface(services), { prefix: '/functions/v1' })
  void app.register(realtimeHttp, { prefix: '/realtime/v1' })
  // The product stores no files; the client's storage calls are told that there is no bucket.
  app.all('/storage/v1/*', (_request, reply) => reply.code(404).send(noBucket))
  void app.register(page({ siteUrl: config.siteUrl, configuration: pageConfiguration(services), database }))

  const realtime = openRealtime({ ...services, log: app.log })
  app.server.on('upgrade', realtime.handleUpgrade)
  // Before the server stops listening: open sockets would keep it from closing.
  app.addHook('preClose', () => realtime.close())
  return app
}

function pageConfiguration({ config, apiKeys }: Services): PageConfiguration {
  return {
    // By default the page talks to the origin at which it was opened: localhost and 127.0.0.1 both work.
    supabaseUrl: config.isDefaultSite ? '' : config.siteUrl,
    anonKey: apiKeys.anonKey,
    brandName: config.brandName,
    displayCurrency: config.displayCurrency,
    avatarUrl: config.avatarUrl,
    chartUrl: config.chartUrl,
    passwordLengthMin: config.passwordLengthMin,
  }
}
