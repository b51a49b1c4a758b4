/** The server's own metrics: the database, Realtime channels, mails, the ledger and backups. */
import { type Metric, counter, gauge } from './exposition.ts'

/** Sources of the values, which are read at each scrape. */
export type MetricSources = {
  readonly database: { running(): number }
  readonly queue: { load(): { readonly waiting: number; readonly shed: number } }
  readonly realtime: {
    load(): {
      readonly sockets: number
      readonly channels: number
      readonly events: number
      readonly dropped: Readonly<Record<string, number>>
    }
  }
  readonly watch: {
    readonly offsetSeconds: number | null
    readonly isAway: boolean
    readonly clockDiffers: boolean
  }
  readonly isDraining: () => boolean
  readonly alarms: { openSince(code: 'replica-gone'): number | null }
  readonly ledger: {
    readonly isBroken: boolean
    /** Time at which the last ledger check ended, in milliseconds since 1970; `null` before the first check. */
    readonly checkedAt: number | null
  }
}

export function applicationMetrics({
  database,
  queue,
  realtime,
  watch,
  ledger,
  isDraining,
  alarms,
}: MetricSources): Metric[] {
  return [
    gauge('finanzas_ready', '1 while /ready answers 200.', () =>
      Number(!watch.isAway && !watch.clockDiffers && !isDraining()),
    ),
    gauge(
      'finanzas_admission_queue_length',
      'Database transactions that wait in the admission queue.',
      () => queue.load().waiting,
    ),
    counter(
      'finanzas_requests_shed_total',
      'Requests that the admission queue rejected with 503.',
      () => queue.load().shed,
    ),
    gauge(
      'finanzas_database_running',
      'Admitted database transactions: DATABASE_POOL_SIZE at most on PostgreSQL, 16 on the embedded engine.',
      () => database.running(),
    ),
    gauge(
      'finanzas_clock_offset_seconds',
      'Offset of the database’s clock from this server’s clock; positive if it is ahead.',
      () => watch.offsetSeconds,
    ),
    gauge('finanzas_realtime_sockets', 'Open WebSockets.', () => realtime.load().sockets),
    gauge('finanzas_realtime_channels', 'Joined channels.', () => realtime.load().channels),
    counter('finanzas_realtime_events_total', 'Changes sent to channels.', () => realtime.load().events),
    {
      name: 'finanzas_realtime_dropped_total',
      help: 'Sockets that this server closed, by reason: too slow, silent, or above a limit.',
      type: 'counter',
      read: () =>
        Object.entries(realtime.load().dropped).map(([reason, value]) => ({ labels: { reason }, value })),
    },
    gauge('finanzas_replica_gone', '1 while PostgreSQL has no synchronous standby, after it had one.', () =>
      Number(alarms.openSince('replica-gone') !== null),
    ),
    gauge('finanzas_ledger_broken', '1 when the last check found an entry that does not verify.', () =>
      ledger.checkedAt === null ? null : Number(ledger.isBroken),
    ),
    gauge('finanzas_ledger_checked_timestamp_seconds', 'Time of the last check of the whole ledger.', () =>
      ledger.checkedAt === null ? null : ledger.checkedAt / 1000,
    ),
  ]
}

/** Returns the time of the newest backup as a metric. The metric has no value before the first backup. */
export function backupMetric(lastBackupAt: () => Date | null): Metric {
  return gauge('finanzas_backup_timestamp_seconds', 'Time of the newest scheduled backup.', () => {
    const at = lastBackupAt()
    return at === null ? null : at.getTime() / 1000
  })
}

/**
 * Returns the size of the embedded engine's files as a metric. The metric has no value in the first minute after the
 * start.
 */
export function databaseSizeMetric(bytes: () => number | null): Metric {
  return gauge(
    'finanzas_database_bytes',
    'Size of the embedded engine’s files, including its write-ahead log.',
    bytes,
  )
}

/** Returns the mail queue's metrics. The gauges have no value while the database is unavailable. */
export function mailMetrics(mails: {
  waiting(): Promise<{ readonly count: number; readonly oldestSeconds: number }>
  readonly givenUp: number
}): Metric[] {
  return [
    gauge(
      'finanzas_mail_waiting',
      'Mails of all servers that wait for the mail server.',
      async () => (await mails.waiting()).count,
    ),
    gauge(
      'finanzas_mail_oldest_waiting_seconds',
      'Time that the oldest waiting mail has waited; 0 if none waits.',
      async () => (await mails.waiting()).oldestSeconds,
    ),
    counter(
      'finanzas_mail_given_up_total',
      'Mails that this server gave up: refused permanently, or tried for a day.',
      () => mails.givenUp,
    ),
  ]
}
