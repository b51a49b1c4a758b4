/**
 * The server's background work: checking the ledger daily, purging expired data, recording recurring expenses, inviting
 * customers, notifying customers of events, and monitoring the database. The server also carries out requests that are
 * due, and ends requests that have expired.
 */
import type { FastifyInstance } from 'fastify'
import type { Config } from '#settings/config.ts'
import type { Database } from '#database/database.ts'
import { describeOutage } from '#database/postgres/explain-failure.ts'
import { DatabaseWatch } from '#database/watch.ts'
import { logEvent } from '#http/events.ts'
import { purgeExpired } from '#identity/retention.ts'
import { checkDaily } from '#ledger/daily-check.ts'
import { recordDueExpenses } from '#ledger/recurring.ts'
import { runDueRequests } from '#ledger/due-requests.ts'
import type { Mailer } from '#mail/mailer.ts'
import { tellCustomers } from '#mail/tell-customers.ts'
import { inviteCustomers } from './invite-customers.ts'
import type { Alarms } from '#status/alarms.ts'

type Options = {
  readonly config: Config
  readonly database: Database
  readonly mailer: Mailer
  readonly alarms: Alarms
  /** Closes all WebSockets and returns their number. Called after a long database outage. */
  readonly disconnectAll: () => number
}

/** Starts the background work, which stops when the application closes. */
export function startUpkeep(
  app: FastifyInstance,
  { config, database, mailer, alarms, disconnectAll }: Options,
) {
  const ledgerCheck = checkDaily(database, {
    onBroken: (line) => alarms.begin('ledger-broken', { ...line }),
    onVerified: (line) => logEvent(app.log, 'the ledger verifies', { ...line }),
    onFailure: (error) => app.log.error({ err: error }, 'the ledger could not be verified'),
  })
  const work = () => [
    purgeExpired(database, (error) => app.log.error(error, 'nothing could be swept away')),
    recordDueExpenses(database, (error) => app.log.error(error, 'recurring expenses could not be recorded')),
    runDueRequests(database, (error) => app.log.error(error, 'due requests could not be ended')),
    inviteCustomers({ database, mailer, config, perHour: config.invitationsPerHour }, (error) =>
      app.log.error(error, 'customers could not be invited'),
    ),
    ...(config.features.includes('notificaciones')
      ? [
          tellCustomers(database, (error) =>
            app.log.error(error, 'events could not be reported to customers'),
          ),
        ]
      : []),
  ]
  const ends = [() => ledgerCheck.close(), ...(config.hasBackgroundWork ? work() : [])]
  const watch = new DatabaseWatch(database, {
    onAway: (error) => alarms.begin('database-away', describeOutage(error, config.database?.url)),
    onBack(awaySeconds) {
      logEvent(app.log, 'the database answers again', { awaySeconds })
      alarms.end('database-away')
    },
    onLongAway() {
      // The sockets stay open on the embedded engine, because clients could not reconnect to another server.
      if (database.engine === 'postgres')
        logEvent(app.log, 'sockets are sent elsewhere', { sockets: disconnectAll() })
    },
    onClockDiffers: (offsetSeconds) => alarms.begin('clock-differs', { offsetSeconds }),
  })
  for (const end of [...ends, () => watch.close()]) app.addHook('onClose', end)
  return { ledgerCheck, watch }
}
