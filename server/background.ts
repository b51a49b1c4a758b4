/** The work of a server beside its answers to requests: mails, backups, and the reports about itself. */
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { createApp } from './app.ts'
import { backupsDirectory } from '#backup/backups.ts'
import { readBackups, scheduleBackups } from '#backup/schedule.ts'
import type { OpenBank } from '#bank/open-bank.ts'
import type { Database } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { createMailer } from '#mail/mailer.ts'
import { MailQueue } from '#mail/mail-queue.ts'
import { noticeMail } from '#mail/notice-mail.ts'
import { backupMetric, databaseSizeMetric, mailMetrics } from '#metrics/application.ts'
import type { Metric } from '#metrics/exposition.ts'
import { version } from '#metrics/process.ts'
import { asCalledHere } from '#settings/called-here.ts'
import type { Config } from '#settings/config.ts'
import type { Alarms } from '#operations/alarms.ts'
import { reportStatus } from '#operations/report.ts'
import type { Keys } from '#tokens/keys.ts'

/** Returns the minutes between scheduled backups. A server of a copy makes none. */
function backupInterval({ backup, hasBackgroundWork }: Config): number | null {
  return hasBackgroundWork ? backup.intervalMinutes : 0
}

type MailParts = {
  readonly database: Database
  readonly keys: Keys
  readonly onKept: (link: string | null, to: string) => void
}

export function openMailQueue(config: Config, { database, keys, onKept }: MailParts): MailQueue {
  const outboxDirectory = join(config.dataDir, 'outbox')
  return new MailQueue({
    database,
    seal: keys.mails,
    transport: createMailer({ smtp: config.mail, outboxDirectory, onKept }),
    mailOf: (notice) => noticeMail({ ...config, keys, asCalledHere }, notice),
    // Without a mail server, mails are saved to the outbox at once. A mail server runs on another machine and may be
    // slow or unavailable, so mails to it wait in the queue. In a copy of a bank, all mails stay in the queue.
    sendsAtOnce: config.mail === null && config.hasBackgroundWork,
  })
}

type Observers = { readonly log: FastifyBaseLogger; readonly alarms: Alarms }

export function deliverMails(mailer: MailQueue, { log, alarms }: Observers): void {
  mailer.deliver({
    onDelayed: (failure) => logEvent(log, 'mail deferred', failure),
    onGivenUp: (failure, recipient) => alarms.begin('mail-given-up', failure, recipient),
    onFailure: (error) => log.error(error, 'mails could not be sent'),
  })
}

/** Schedules the backups that the configuration asks for. Returns the function that ends them. */
export function scheduleRegularBackups(
  config: Config,
  bank: OpenBank,
  { log, alarms }: Observers,
): () => void | Promise<void> {
  const minutes = backupInterval(config)
  if (minutes === null || minutes <= 0) return () => undefined
  return scheduleBackups(bank.backups, {
    dataDir: config.dataDir,
    intervalMs: minutes * 60_000,
    keep: config.backup.keep,
    onMade(report, removed) {
      logEvent(log, 'backup made', { backup: report, removed })
      alarms.end('backup-failed')
    },
    onFailure: (error) => alarms.begin('backup-failed', { err: error }),
  })
}

type ReportParts = Pick<
  ReturnType<typeof createApp>,
  'fastify' | 'alarms' | 'ledgerCheck' | 'watch' | 'serving'
> & {
  readonly database: Database
  readonly mailer: MailQueue
  readonly certificateExpiresAt: Date | null
}

/** Reports this server and its alarms to the database, and mails the operator about alarms that began or ended. */
export function reportBank(
  config: Config,
  {
    fastify: { log },
    alarms,
    ledgerCheck,
    watch,
    serving,
    database,
    mailer,
    certificateExpiresAt,
  }: ReportParts,
) {
  const { operatorEmail, port, dataDir, hasBackgroundWork } = config
  const onFailure = (error: unknown) => log.error(error, 'the state of the bank could not be reported')
  return reportStatus({
    database,
    alarms,
    version,
    port,
    dataDir,
    backupIntervalMinutes: backupInterval(config),
    clockDiffers: () => watch.clockDiffers,
    isLedgerBroken: () => ledgerCheck.isBroken,
    certificateExpiresAt,
    onServing: (since) => (serving.since = since),
    mails: operatorEmail === null || !hasBackgroundWork ? null : { queue: mailer, to: operatorEmail },
    onFailure,
  })
}

export function metricsOfBank(config: Config, { growth }: OpenBank, mailer: MailQueue): Metric[] {
  const lastBackupAt = () => readBackups(backupsDirectory(config.dataDir))[0]?.takenAt ?? null
  return [
    backupMetric(lastBackupAt),
    ...(config.mail === null ? [] : mailMetrics(mailer)),
    ...(growth === null ? [] : [databaseSizeMetric(() => growth.bytes)]),
  ]
}
