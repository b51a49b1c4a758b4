/** The HTTP routes of the server. A surface is the set of endpoints under one URL prefix. */
import type { Socket } from 'node:net'
import type { SigningKey } from '@finanzas/contract/papers/signature.ts'
import type { PageConfiguration } from '@finanzas/contract/wire/configuration.ts'
import type { FastifyInstance, FastifyPluginCallback } from 'fastify'
import { authSurface } from '#auth/surface.ts'
import type { Config } from '#settings/config.ts'
import type { ChangeFeed } from '#realtime/changes/feed.ts'
import { runAsRequest } from '#overload/admission.ts'
import type { AdmissionQueue } from '#overload/admission-queue.ts'
import type { Database } from '#database/database.ts'
import { functionsSurface } from '#functions/surface.ts'
import type { Origins } from '#http/cors.ts'
import { networkOf } from '#http/network.ts'
import type { Passwords } from '#people/password/passwords.ts'
import { applicationMetrics } from '#metrics/application.ts'
import type { Mailer } from '#mail/mailer.ts'
import { logEvent } from '#http/events.ts'
import { page } from '#page/page.ts'
import { statementKeys } from '#page/statement-keys.ts'
import { openRealtime } from '#realtime/surface.ts'
import { readUpgrade, realtimeHttp } from '#realtime/connection/upgrade.ts'
import { type SchemaCache, createSchemaCache } from '#rest/schema/cache.ts'
import { restSurface } from '#rest/surface.ts'
import { Alarms } from '#operations/alarms.ts'
import type { Throttle } from '#throttle/throttle.ts'
import type { TokenKey } from '#tokens/access-token.ts'
import type { AcceptedApiKeys } from '#tokens/api-keys.ts'
import type { Keys } from '#tokens/keys.ts'
import type { RefreshTokenKey } from '#tokens/refresh-token.ts'
import { createHttpApplication } from './http-application.ts'
import { startUpkeep } from '#jobs/upkeep.ts'

/** Dependencies that the surfaces share; `start.ts` builds them once. */
export type Services = {
  readonly config: Config
  /** The database, which is reached through the admission queue. */
  readonly database: Database
  /** The database for the table API, which counts refused writes. */
  readonly tableDatabase: Database
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
  /** The key of the certificate that the bank brings for papers, if it brings one. */
  readonly paperKey: SigningKey | null
  readonly isDraining: () => boolean
}

/**
 * Time since which the bank has been served without a gap of three minutes or more (`private.servers.serving_since`).
 * `null` before this server's first report.
 */
type Serving = { since: string | null }

const noBucket = { statusCode: '404', error: 'Bucket not found', message: 'Bucket not found' }
const noGraphql = { errors: [{ message: 'There is no GraphQL here' }] }

/** Registers the surfaces. The returned application does not listen on a port yet. */
export function createApp(services: Services) {
  const { config, database, origins } = services
  const { app, refuse, requestMetrics } = createHttpApplication({
    config,
    origins,
    isDraining: services.isDraining,
    mayUpgrade: (request) => readUpgrade(request, services).ok,
  })

  const schemas = createSchemaCache(database)
  // The call may have requested a batch, which does not wait for the next turn of its job.
  void app.register(admittedSurfaces(services, schemas, () => postSoon()))
  void app.register(realtimeHttp(services), { prefix: '/realtime/v1' })
  void app.register(absentServices)

  const realtime = openRealtime({ ...services, log: app.log })
  app.server.on('upgrade', realtime.handleUpgrade)
  // Ignores `Expect`, as RFC 9110 §10.1.1 allows, because Node's own 417 response would lack the security headers.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket: Socket) => refuse({}, socket))
  // WebSockets are closed first, because open WebSockets would prevent the server from closing.
  app.addHook('preClose', () => realtime.close())
  const alarms = new Alarms((event, fields) => logEvent(app.log, event, fields))
  const { ledgerCheck, watch, postSoon } = startUpkeep(app, {
    config,
    database,
    mailer: services.mailer,
    alarms,
    disconnectAll: () => realtime.disconnectAll(),
  })
  const serving: Serving = { since: null }
  void app.register(
    page({
      siteUrl: config.siteUrl,
      configuration: pageConfiguration(services),
      watch,
      servingSince: () => serving.since,
      awaySince: () => alarms.openSince('database-away'),
      isDegraded: () => ledgerCheck.isBroken || schemas.isUnreadable(),
      isDraining: services.isDraining,
    }),
  )
  return {
    fastify: app,
    alarms,
    ledgerCheck,
    watch,
    serving,
    metrics: [
      ...requestMetrics,
      ...applicationMetrics({ ...services, realtime, watch, ledger: ledgerCheck, alarms }),
    ],
  }
}

/** The surfaces whose requests wait in the admission queue. */
function admittedSurfaces(
  services: Services,
  schemas: SchemaCache,
  onStaffCall: () => void,
): FastifyPluginCallback {
  const { database, tableDatabase, tokenKey, apiKeys } = services
  return (surfaces, _options, done) => {
    admitRequests(surfaces)
    const tables = restSurface({ database: tableDatabase, tokenKey, apiKeys, schemas, onStaffCall })
    void surfaces.register(authSurface(services), { prefix: '/auth/v1' })
    void surfaces.register(tables, { prefix: '/rest/v1' })
    void surfaces.register(functionsSurface(services), { prefix: '/functions/v1' })
    void surfaces.register(statementKeys(database))
    done()
  }
}

/** Lets every request to these surfaces wait in the admission queue, in which each client network has its own flow. */
function admitRequests(surfaces: FastifyInstance): void {
  // Runs after the body has arrived, so that a slow upload does not occupy a slot in the queue.
  surfaces.addHook('preHandler', ({ ip, routeOptions }, { raw }, handle) =>
    runAsRequest(
      {
        flow: networkOf(ip),
        isNotShed: routeOptions.config.isNotShed === true,
        isUrgent: routeOptions.config.isUrgent === true,
        isAborted: () => raw.destroyed,
      },
      handle,
    ),
  )
}

/** Answers 404, in the error format of Supabase Storage or of GraphQL. The product offers neither service. */
const absentServices: FastifyPluginCallback = (absent, _options, done) => {
  // Clients upload files either as form data or as raw bytes with any content type.
  absent.removeAllContentTypeParsers()
  absent.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, parsed) => parsed(null))
  absent.all('/storage/v1/*', (_request, reply) => reply.code(404).send(noBucket))
  absent.all('/graphql/v1', (_request, reply) => reply.code(404).send(noGraphql))
  done()
}

function pageConfiguration({ config, apiKeys }: Services): PageConfiguration {
  return {
    // If `SITE_URL` is not set, the page calls the origin from which it was opened, so that both localhost and
    // 127.0.0.1 work.
    supabaseUrl: config.isDefaultSite ? '' : config.siteUrl,
    anonKey: apiKeys.anonKey,
    brandName: config.brandName,
    displayCurrency: config.displayCurrency,
    avatarUrl: config.avatarUrl,
    chartUrl: config.chartUrl,
    passwordLengthMin: config.passwordLengthMin,
    paperFormats: ['pdf', 'csv'],
    features: config.features,
    hasApprovals: config.bankSettings.staff_approval_above !== null,
  }
}
