/**
 * The server's background work: the bank's jobs, and the monitoring of the database. The status reports, the mail queue
 * and the backups are work of each server by itself, and have loops of their own.
 */
import type { FastifyInstance } from 'fastify'
import type { Config } from '#settings/config.ts'
import type { Database } from '#database/database.ts'
import { type Job, runJobs } from './run-jobs.ts'
import { describeOutage } from '#database/postgres/explain-failure.ts'
import { DatabaseWatch } from '#database/watch.ts'
import { logEvent } from '#http/events.ts'
import { checkDaily } from './daily-check.ts'
import type { Mailer } from '#mail/mailer.ts'
import { inviteSome } from './invite-customers.ts'
import type { Alarms } from '#status/alarms.ts'

type Options = {
  readonly config: Config
  readonly database: Database
  readonly mailer: Mailer
  readonly alarms: Alarms
  /** Closes all WebSockets and returns their number. Called after a long database outage. */
  readonly disconnectAll: () => number
}

/** Expired data may wait for this time, because a starting server is busy. */
const purgeAfterMs = 60_000

/** The jobs that the database itself carries out. `private.jobs` says how often, and what each of them calls. */
export const databaseJobs: readonly Job[] = [
  { name: 'forget', failure: 'expired data could not be purged', firstAfterMs: purgeAfterMs },
  { name: 'forget sign-ins', failure: 'expired sign-ins could not be purged', firstAfterMs: purgeAfterMs },
  { name: 'record', failure: 'recurring expenses could not be recorded' },
  { name: 'end requests', failure: 'due requests could not be ended' },
  { name: 'return', failure: 'transfers could not be returned' },
  { name: 'post', failure: 'batches could not be posted' },
  { name: 'tell', failure: 'events could not be reported to customers' },
  { name: 'mail news', failure: 'customers could not be mailed' },
  { name: 'tell staff', failure: 'administrators could not be mailed' },
]

export const invitingJob = ({
  config,
  database,
  mailer,
}: Pick<Options, 'config' | 'database' | 'mailer'>): Job => ({
  name: 'invite',
  failure: 'customers could not be invited',
  run: () => inviteSome({ database, mailer, config, perHour: config.invitationsPerHour }),
})

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
    [ledgerCheck.job, ...(config.hasBackgroundWork ? [...databaseJobs, invitingJob(options)] : [])],
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
        logEvent(app.log, 'sockets are sent elsewhere', { sockets: disconnectAll() })
    },
    onClockDiffers: (offsetSeconds) => alarms.begin('clock-differs', { offsetSeconds }),
  })
  for (const end of [() => jobs.close(), () => ledgerCheck.close(), () => watch.close()])
    app.addHook('onClose', end)
  return { ledgerCheck, watch, postSoon: () => jobs.wake('post') }
}
