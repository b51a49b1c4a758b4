/** The server's background work: the bank's jobs, and the monitoring of the database. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '#settings/config.ts'
import type { Database } from '#database/database.ts'
import { describeOutage } from '#database/postgres/explain-failure.ts'
import { DatabaseWatch } from '#database/watch.ts'
import { logEvent } from '#http/events.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { Alarms } from '#operations/alarms.ts'
import { checkDaily } from './daily-check.ts'
import { bankJobs } from './jobs.ts'
import { runJobs } from './run-jobs.ts'

type Options = {
  readonly config: Config
  readonly database: Database
  readonly mailer: Mailer
  readonly alarms: Alarms
  /** Closes all WebSockets and returns their number. Called after a long database outage. */
  readonly disconnectAll: () => number
}

/** Starts the background work, which stops when the application closes. */
export function startUpkeep(app: FastifyInstance, options: Options) {
  const { config, database, alarms, disconnectAll } = options
  const ledgerCheck = checkDaily(database, {
    onBroken: (line) => alarms.begin('ledger-broken', { ...line }),
    onVerified: (line) => logEvent(app.log, 'the ledger verifies', { ...line }),
    onFailure: (error) => app.log.error({ err: error }, 'the ledger could not be verified'),
  })
  const jobs = runJobs(
    database,
    // A server of a copy only verifies.
    config.hasBackgroundWork ? bankJobs({ ...options, ledgerCheck }) : [ledgerCheck.job],
    (error, { failure }) => app.log.error({ err: error }, failure),
  )
  const watch = new DatabaseWatch(database, {
    onAway: (error) => alarms.begin('database-away', describeOutage(error, config.database?.url)),
    onBack(awaySeconds) {
      logEvent(app.log, 'the database answers again', { awaySeconds })
      alarms.end('database-away')
    },
    onLongAway() {
      // The sockets stay open on the embedded engine, because clients could not reconnect to another server.
      if (database.engine === 'postgres')
        logEvent(app.log, 'sockets closed after an outage', { sockets: disconnectAll() })
    },
    onClockDiffers: (offsetSeconds) => alarms.begin('clock-differs', { offsetSeconds }),
  })
  for (const end of [() => jobs.close(), () => ledgerCheck.close(), () => watch.close()])
    app.addHook('onClose', end)
  return { ledgerCheck, watch, postSoon: () => jobs.wake('post') }
}
