/** Starts a server from a configuration. `npm start`, the demo and the tests all use this function. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connectionsMax } from '@finanzas/contract/limits.ts'
import type { FastifyBaseLogger } from 'fastify'
import { createApp } from './app.ts'
import { layerDatabase } from './layered-database.ts'
import { backupsDirectory } from '#backup/backups.ts'
import { readBackups, scheduleBackups } from '#backup/schedule.ts'
import type { Config } from '#settings/config.ts'
import { ChangeFeed } from '#realtime/changes/feed.ts'
import type { Database } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { refuseLocked } from '#data-directory/directory-lock.ts'
import { claimPort, listener } from '#http/connections.ts'
import { allowedOrigins } from '#http/cors.ts'
import { ensureFirstAdministrator, noticeOfNoMailbox } from '#identity/first-administrator.ts'
import { createPasswords } from '#identity/password/passwords.ts'
import { setBankSettings } from '#settings/bank-settings.ts'
import { noticeMail } from '#mail/notice-mail.ts'
import { createMailer } from '#mail/mailer.ts'
import { MailQueue } from '#mail/mail-queue.ts'
import { backupMetric, databaseSizeMetric, mailMetrics } from '#metrics/application.ts'
import { type Metric, holdScrapePort } from '#metrics/exposition.ts'
import { version, watchProcess } from '#metrics/process.ts'
import { type OpenBank, openBank } from '#bank/open-bank.ts'
import type { Alarms } from '#status/alarms.ts'
import { reportStatus } from '#status/report.ts'
import { operatorCommands } from '#operator/registry.ts'
import { openOperatorSocket, socketPath } from '#operator/socket.ts'
import { orPortRefused } from '#http/port-refused.ts'
import { type Keys, deriveKeys } from '#tokens/keys.ts'
import { RefreshTokenKey } from '#tokens/refresh-token.ts'

export type RunningServer = {
  readonly url: string
  readonly database: Database
  /** Answers 503 at `/ready` and continues to serve for `DRAIN_SECONDS`, so that proxies stop sending requests. */
  drain(): Promise<void>
  /** Waits for running requests and closes everything that the server opened. */
  close(): Promise<void>
}

/** Messages that the operator sees in addition to the log. */
export type Announcements = {
  readonly onMailKept: (link: string | null, to: string) => void
  /** The password itself is not stored anywhere. */
  readonly onPasswordMade: (email: string, password: string) => void
  /** Called with a message about the administrators' access. */
  readonly onNotice: (sentence: string) => void
}

/** Starts a server. Throws the error of the step that failed, after closing everything that was opened. */
export async function startServer(config: Config, announce: Announcements): Promise<RunningServer> {
  await using closers = new AsyncDisposableStack()
  // Claims the port before anything is created. If the port were claimed later and the claim failed, the bank would
  // already exist and have an administrator.
  const portSetting = { ...config, portName: 'PORT', hostName: 'HOST' } as const
  const port = await orPortRefused(portSetting, () => claimPort(config)).catch((error: unknown) => {
    // The program at this port may be the server of this very bank, and then another port would not help.
    if (config.database === null) refuseLocked(config.dataDir)
    throw error
  })
  closers.defer(() => port.release())
  const scrapes = config.metrics === null ? null : await holdMetrics(config.metrics)
  closers.defer(() => scrapes?.close())
  const bank = await openBank(config)
  closers.defer(() => bank.close())
  const { database, secrets } = bank
  const { jwtSecret, previousSecret, tokenKey, apiKeys } = secrets
  const keys = deriveKeys(await bank.openDataKey())
  await setBankSettings(database, config.bankSettings)
  const passwords = createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName })
  await ensureFirstAdministrator(database, passwords, { ...config.administrator, ...announce })
  if (config.mail !== null) {
    const notice = await noticeOfNoMailbox(database)
    if (notice !== null) announce.onNotice(notice)
  }
  const mailer = openMailQueue(config, { database, keys, onKept: announce.onMailKept })
  closers.defer(() => mailer.close())
  const changes = new ChangeFeed(database)
  closers.defer(() => changes.close())

  const { admitted, counted, queue, throttle } = layerDatabase(database, {
    poolSize: config.database?.poolSize ?? null,
    hasRateLimits: config.rateLimits,
  })
  const origins = allowedOrigins({ ...config, further: config.corsOrigins })
  let isDraining = false
  const application = createApp({
    config,
    database: admitted,
    tableDatabase: counted,
    queue,
    changes,
    tokenKey,
    refreshTokenKey: RefreshTokenKey.of(jwtSecret, previousSecret),
    keys,
    apiKeys,
    origins,
    mailer,
    passwords,
    isDraining: () => isDraining,
    throttle,
  })
  const { fastify: app, metrics, alarms } = application
  bank.login?.onRefused((report) => alarms.begin('login-refused', report))
  bank.growth?.onAlarm((report) => alarms.begin('database-grows', report))
  // The status reports end after the application. Otherwise, a database that does not answer would delay the closing of
  // the sockets.
  closers.defer(reportBank(config, { ...application, database, mailer }))
  const listen = listener(app, connectionsMax)
  closers.defer(() => app.close())
  if (config.hasBackgroundWork) {
    mailer.deliver({
      onDelayed: (failure) => logEvent(app.log, 'mail deferred', failure),
      onGivenUp: (failure, recipient) => alarms.begin('mail-given-up', failure, recipient),
      onFailure: (error) => app.log.error(error, 'mails could not be sent'),
    })
  } else announce.onNotice(noticeOfCopy)
  // With PostgreSQL, does not open the socket for operators' commands, because these commands connect to the database
  // themselves.
  if (config.database === null) {
    const commandBank = {
      config,
      database,
      owner: await bank.connectOwner(),
      backups: bank.backups,
      mailer: () => Promise.resolve(mailer),
      keys: () => Promise.resolve(keys),
    }
    closers.defer(await openOperatorSocket(socketPath(config.dataDir), operatorCommands, commandBank))
  }
  const backupMinutes = backupInterval(config)
  if (backupMinutes !== null && backupMinutes > 0) {
    const intervalMs = backupMinutes * 60_000
    closers.defer(scheduleRegularBackups(config, bank, { intervalMs, log: app.log, alarms }))
  }
  if (scrapes !== null) {
    const ofProcess = watchProcess()
    closers.defer(() => ofProcess.close())
    scrapes.serve([...metrics, ...ofProcess.metrics, ...metricsOfBank(config, bank, mailer)])
  }
  closers.defer(() => bank.backups.close())
  await app.ready()
  // Releases the claim before listening. The claim is exclusive, so that a second server is refused. The listening
  // sockets of this server, however, share the port with each other.
  await port.release()
  await orPortRefused(portSetting, () => listen(config))
  const drain = async () => {
    isDraining = true
    logEvent(app.log, 'the server drains', { drainSeconds: config.drainSeconds })
    await pause(config.drainSeconds * 1000)
  }
  const opened = closers.move()
  const close = async () => {
    await opened.disposeAsync()
    logEvent(app.log, 'the server has ended')
  }
  logEvent(app.log, 'the server serves', { version, engine: database.engine, node: process.version })
  return { url: config.siteUrl, database, drain, close }
}

const noticeOfCopy =
  'BACKGROUND_WORK=off: este servidor no envía correos, no hace copias ni nada que esté pendiente. Es para mirar una copia, no para atender.'

/** Returns the minutes between scheduled backups. A server of a copy makes none. */
function backupInterval({ backup, hasBackgroundWork }: Config): number | null {
  return hasBackgroundWork ? backup.intervalMinutes : 0
}

type MailParts = {
  readonly database: Database
  readonly keys: Keys
  readonly onKept: Announcements['onMailKept']
}

function openMailQueue(config: Config, { database, keys, onKept }: MailParts): MailQueue {
  const outboxDirectory = join(config.dataDir, 'outbox')
  return new MailQueue({
    database,
    seal: keys.mails,
    transport: createMailer({ smtp: config.mail, outboxDirectory, onKept }),
    mailOf: (notice) => noticeMail({ ...config, keys }, notice),
    // Without a mail server, mails are saved to the outbox at once. A mail server runs on another machine and may be
    // slow or unavailable, so mails to it wait in the queue. In a copy of a bank, all mails stay in the queue.
    sendsAtOnce: config.mail === null && config.hasBackgroundWork,
  })
}

function scheduleRegularBackups(
  { dataDir, backup }: Config,
  bank: OpenBank,
  {
    intervalMs,
    log,
    alarms,
  }: { readonly intervalMs: number; readonly log: FastifyBaseLogger; readonly alarms: Alarms },
) {
  return scheduleBackups(bank.backups, {
    dataDir,
    intervalMs,
    keep: backup.keep,
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
> & { readonly database: Database; readonly mailer: MailQueue }

/** Reports this server and its alarms to the database, and mails the operator about alarms that began or ended. */
function reportBank(
  config: Config,
  { fastify: { log }, alarms, ledgerCheck, watch, serving, database, mailer }: ReportParts,
) {
  const { operatorEmail, brandName, siteUrl, port, dataDir, hasBackgroundWork } = config
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
    onServing: (since) => (serving.since = since),
    mails:
      operatorEmail === null || !hasBackgroundWork
        ? null
        : { queue: mailer, to: operatorEmail, brandName, siteUrl },
    onFailure,
  })
}

function metricsOfBank(config: Config, { growth }: OpenBank, mailer: MailQueue): Metric[] {
  const lastBackupAt = () => readBackups(backupsDirectory(config.dataDir))[0]?.takenAt ?? null
  return [
    backupMetric(lastBackupAt),
    ...(config.mail === null ? [] : mailMetrics(mailer)),
    ...(growth === null ? [] : [databaseSizeMetric(() => growth.bytes)]),
  ]
}

function holdMetrics(metrics: NonNullable<Config['metrics']>) {
  const setting = { ...metrics, portName: 'METRICS_PORT', hostName: 'METRICS_HOST' } as const
  return orPortRefused(setting, () => holdScrapePort(metrics))
}
