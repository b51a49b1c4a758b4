/** Starts a server from a configuration. `npm start`, the demo and the tests all use this function. */
import { setTimeout as pause } from 'node:timers/promises'
import { connectionsMax } from '@finanzas/contract/limits.ts'
import { type Services, createApp } from './app.ts'
import {
  deliverMails,
  metricsOfBank,
  openMailQueue,
  reportBank,
  scheduleRegularBackups,
} from './background.ts'
import { layerDatabase } from './layered-database.ts'
import type { Config } from '#settings/config.ts'
import { ChangeFeed } from '#realtime/changes/feed.ts'
import type { Database } from '#database/database.ts'
import { logEvent } from '#http/events.ts'
import { refuseLocked } from '#data-directory/directory-lock.ts'
import { claimPort, listener } from '#http/connections.ts'
import { allowedOrigins } from '#http/cors.ts'
import { ensureFirstAdministrator, noticeOfNoMailbox } from '#people/first-administrator.ts'
import { createPasswords } from '#people/password/passwords.ts'
import { publishStatementKey } from '#database/statement-keys.ts'
import { setBankSettings } from '#settings/bank-settings.ts'
import type { MailQueue } from '#mail/mail-queue.ts'
import { holdScrapePort } from '#metrics/exposition.ts'
import { version, watchProcess } from '#metrics/process.ts'
import { type OpenBank, openBank } from '#bank/open-bank.ts'
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
  const certificate = await ownCertificateOf(config, announce)
  const paperKey = certificate?.key ?? null
  const port = await claimedPort(config)
  closers.defer(() => port.release())
  const scrapes = config.metrics === null ? null : await holdMetrics(config.metrics)
  closers.defer(() => scrapes?.close())
  const bank = await openBank(config)
  closers.defer(() => bank.close())
  const { database } = bank
  const { keys, passwords } = await prepareBank(bank, config, announce)
  if (paperKey !== null) await publishStatementKey(database, paperKey.publicKey)
  const mailer = openMailQueue(config, { database, keys, onKept: announce.onMailKept })
  closers.defer(() => mailer.close())
  const changes = new ChangeFeed(database)
  closers.defer(() => changes.close())

  let isDraining = false
  const application = createApp(
    servicesOf(config, bank, { keys, passwords, paperKey, mailer, changes, isDraining: () => isDraining }),
  )
  const { fastify: app, metrics, alarms } = application
  bank.login?.onRefused((report) => alarms.begin('login-refused', report))
  bank.growth?.onAlarm((report) => alarms.begin('database-grows', report))
  // The status reports end after the application. Otherwise, a database that does not answer would delay the closing of
  // the sockets.
  closers.defer(
    reportBank(config, {
      ...application,
      database,
      mailer,
      certificateExpiresAt: certificate?.expiresAt ?? null,
    }),
  )
  const listen = listener(app, connectionsMax)
  closers.defer(() => app.close())
  if (config.hasBackgroundWork) deliverMails(mailer, { log: app.log, alarms })
  else announce.onNotice(noticeOfCopy)
  closers.defer(await openCommandSocket(config, bank, { mailer, keys }))
  closers.defer(scheduleRegularBackups(config, bank, { log: app.log, alarms }))
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
  await orPortRefused(portSetting(config), () => listen(config))
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

/** Reads the bank's own certificate before anything is created. Announces that it will expire soon. */
async function ownCertificateOf({ paperCertificate }: Config, { onNotice }: Announcements) {
  if (paperCertificate === null) return null
  // Loaded only for a bank that brings a certificate.
  const { expiresOn, expiryOf, readOwnCertificate } = await import('#papers/own-certificate.ts')
  const key = await readOwnCertificate(paperCertificate)
  const day = expiresOn(key, noticeDays)
  if (day !== null)
    onNotice(
      `El certificado de PAPER_CERTIFICATE vence el ${day}: después el banco no puede firmar extractos ni comprobantes.`,
    )
  return { key, expiresAt: expiryOf(key) }
}

/** Days before its end for which each start announces that a certificate will expire. */
const noticeDays = 60

const portSetting = (config: Config) => ({ ...config, portName: 'PORT', hostName: 'HOST' }) as const

/**
 * Claims the port before anything is created. If the port were claimed later and the claim failed, the bank would
 * already exist and have an administrator.
 */
function claimedPort(config: Config) {
  return orPortRefused(portSetting(config), () => claimPort(config)).catch((error: unknown) => {
    // The program at this port may be the server of this very bank, and then another port would not help.
    if (config.database === null) refuseLocked(config.dataDir)
    throw error
  })
}

/** Writes the bank's settings, and creates the first administrator of a new bank. */
async function prepareBank(bank: OpenBank, config: Config, announce: Announcements) {
  const { database } = bank
  const keys = deriveKeys(await bank.openDataKey())
  await setBankSettings(database, config.bankSettings)
  const passwords = createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName })
  await ensureFirstAdministrator(database, passwords, { ...config.administrator, ...announce })
  if (config.mail !== null) {
    const notice = await noticeOfNoMailbox(database)
    if (notice !== null) announce.onNotice(notice)
  }
  return { keys, passwords }
}

type Parts = Pick<Services, 'keys' | 'passwords' | 'paperKey' | 'mailer' | 'changes' | 'isDraining'>

function servicesOf(config: Config, { database, secrets }: OpenBank, parts: Parts): Services {
  const { jwtSecret, previousSecret, tokenKey, apiKeys } = secrets
  const { admitted, counted, queue, throttle } = layerDatabase(database, {
    poolSize: config.database?.poolSize ?? null,
    hasRateLimits: config.rateLimits,
  })
  return {
    ...parts,
    config,
    database: admitted,
    tableDatabase: counted,
    queue,
    throttle,
    tokenKey,
    apiKeys,
    refreshTokenKey: RefreshTokenKey.of(jwtSecret, previousSecret),
    origins: allowedOrigins({ ...config, further: config.corsOrigins }),
  }
}

/**
 * Opens the socket for operators' commands. With PostgreSQL, does nothing, because these commands connect to the database
 * themselves.
 */
async function openCommandSocket(
  config: Config,
  bank: OpenBank,
  { mailer, keys }: { readonly mailer: MailQueue; readonly keys: Keys },
): Promise<() => Promise<void>> {
  if (config.database !== null) return () => Promise.resolve()
  return openOperatorSocket(socketPath(config.dataDir), operatorCommands, {
    config,
    database: bank.database,
    owner: await bank.connectOwner(),
    backups: bank.backups,
    mailer: () => Promise.resolve(mailer),
    keys: () => Promise.resolve(keys),
  })
}

function holdMetrics(metrics: NonNullable<Config['metrics']>) {
  const setting = { ...metrics, portName: 'METRICS_PORT', hostName: 'METRICS_HOST' } as const
  return orPortRefused(setting, () => holdScrapePort(metrics))
}
