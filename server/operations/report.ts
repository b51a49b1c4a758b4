/**
 * Once a minute, and as soon as an alarm begins or ends, a server reports itself and its alarms to the database. The
 * server then mails the operator about alarms that began or ended (docs/decisions/0072). While the database is
 * unavailable, the server mails the operator directly.
 */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { alarmLimits } from '@finanzas/contract/operations/alarms.ts'
import type { BankState } from '@finanzas/contract/operations/facts.ts'
import { CoalescedTask, repeat } from '#database/coalesced-task.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { freeBytes } from '#data-directory/disk-space.ts'
import { lastBackupAt } from '#backup/schedule.ts'
import type { Alarms } from './alarms.ts'
import { OperatorMailer, type OperatorMails } from './mail-operator.ts'
import { readBankState } from './read-bank-state.ts'

const intervalMs = 60_000
/**
 * Interval at which the server checks whether it must mail the operator directly, because the database is unavailable.
 */
const directIntervalMs = 10_000
/** Maximum time for which a server that shuts down waits for the database. */
const endMsMax = 1000
/**
 * During this time after the start of the bank, late mails and backups do not cause an alarm, because the servers must
 * first catch up. A restart of a server does not begin this time again. Otherwise, a server that often restarts would
 * never report late mails and backups.
 */
const settledSeconds = 600

export type ReportOptions = {
  readonly database: Database
  readonly alarms: Alarms
  readonly version: string
  readonly port: number
  readonly dataDir: string
  /** `null` on PostgreSQL if the operator has not decided who makes the backups. */
  readonly backupIntervalMinutes: number | null
  readonly clockDiffers: () => boolean
  readonly isLedgerBroken: () => boolean
  /** `null` if the bank issues the certificate for papers to itself, and so renews it without the operator. */
  readonly certificateExpiresAt: Date | null
  /** Called after each report with the time since which at least one server of the bank has been running. */
  readonly onServing: (since: string | null) => void
  /** `null` without `OPERATOR_EMAIL`. */
  readonly mails: OperatorMails | null
  readonly onFailure: (error: unknown) => void
}

/** Starts the reports. Returns a function that ends the reports and tells the database that the server shuts down. */
export function reportStatus(options: ReportOptions): () => Promise<void> {
  const { database, alarms } = options
  const mailer = options.mails === null ? null : new OperatorMailer(options.mails, options.onFailure)
  const process = randomUUID()
  const startedAt = new Date().toISOString()
  const report = new CoalescedTask(async () => {
    const own = { process, started_at: startedAt, ...measure(options) }
    const [[known]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
      // Patroni empties this setting as soon as it goes on without a synchronous standby. The setting is readable
      // without rights to watch the replication.
      sql<{ since: string; replicaGoneSeconds: number | null }>`
        select to_jsonb(private.report_server(${JSON.stringify(own)}::jsonb)) #>> '{}' as since,
          private.watch_standby(current_setting('synchronous_standby_names') <> '') as "replicaGoneSeconds"`,
    ])
    const state = await readBankState(database)
    options.onServing(state.serving_since)
    observe(options, {
      state,
      own,
      knownSince: known?.since ?? state.read_at,
      replicaGoneSeconds: known?.replicaGoneSeconds ?? null,
    })
    await storeAlarms(database, alarms, process)
    await mailer?.tellStored(database)
  }, options.onFailure)
  alarms.onChanged(() => report.run())
  report.run()
  const endReports = repeat(report, intervalMs)
  const timer = setInterval(() => void mailer?.mailDirectly(alarms), directIntervalMs).unref()
  return async () => {
    clearInterval(timer)
    await endReports()
    // If this call fails, the other servers report this server as missing.
    const said = database
      .transaction(asService('supabase_auth_admin', 'write'), [sql`select private.end_server(${process})`])
      .catch(() => undefined)
    await Promise.race([said, pause(endMsMax, undefined, { ref: false })])
  }
}

type Measured = { readonly disk_free_bytes: number | null; readonly last_backup_at: string | null }

function measure({ database, version, port, dataDir, backupIntervalMinutes }: ReportOptions) {
  return {
    name: `${hostname()}:${port}`,
    version,
    engine: database.engine,
    disk_free_bytes: freeBytesOrNull(dataDir),
    backup_interval_minutes: backupIntervalMinutes,
    last_backup_at: lastBackupAt(dataDir)?.toISOString() ?? null,
  }
}

function freeBytesOrNull(directory: string): number | null {
  try {
    return freeBytes(directory)
  } catch {
    return null
  }
}

/** Compares the state of the bank and of this server with the limits. */
function observe(
  { alarms, backupIntervalMinutes, clockDiffers, isLedgerBroken, certificateExpiresAt }: ReportOptions,
  {
    state,
    own,
    knownSince,
    replicaGoneSeconds,
  }: {
    readonly state: BankState
    readonly own: Measured
    readonly knownSince: string
    readonly replicaGoneSeconds: number | null
  },
): void {
  const secondsSince = (iso: string) => (Date.parse(state.read_at) - Date.parse(iso)) / 1000
  const servingSince = state.serving_since ?? state.read_at
  const isSettled = secondsSince(servingSince) > settledSeconds
  if (!clockDiffers()) alarms.end('clock-differs')
  alarms.observe('ledger-broken', isLedgerBroken())
  alarms.observe('one-administrator', state.needs_administrator)
  alarms.observe(
    'ledger-unchecked',
    isSettled && secondsSince(state.ledger_checked_at ?? servingSince) > alarmLimits.ledgerSeconds,
  )
  alarms.observe(
    'mails-wait',
    isSettled &&
      state.oldest_mail_at !== null &&
      secondsSince(state.oldest_mail_at) > alarmLimits.mailSeconds,
  )
  // The setting of one server decides for all servers.
  const isDecided = state.servers.some((server) => server.backup_interval_minutes !== null)
  const lastBackup = isDecided ? own.last_backup_at : state.last_backup_at
  alarms.observe(
    'backup-old',
    isSettled &&
      secondsSince(lastBackup ?? knownSince) > backupSecondsMax(isDecided, backupIntervalMinutes ?? 0),
  )
  alarms.observe(
    'replica-gone',
    replicaGoneSeconds !== null && replicaGoneSeconds >= alarmLimits.replicaSeconds,
  )
  alarms.observe('disk-low', own.disk_free_bytes !== null && own.disk_free_bytes < alarmLimits.diskBytes)
  alarms.observe(
    'certificate-expires',
    certificateExpiresAt !== null &&
      -secondsSince(certificateExpiresAt.toISOString()) < alarmLimits.certificateSeconds,
  )
  alarms.observe(
    'server-gone',
    state.servers.some((server) => server.is_gone),
  )
}

/** Returns the age at which a backup is too old; infinite if the bank makes no backups itself. */
function backupSecondsMax(isDecided: boolean, intervalMinutes: number): number {
  if (!isDecided) return alarmLimits.undecidedBackupSeconds
  return intervalMinutes === 0 ? Infinity : intervalMinutes * 60 * alarmLimits.backupIntervals
}

async function storeAlarms(database: Database, alarms: Alarms, process: string): Promise<void> {
  const reports = alarms.reports()
  if (reports.length === 0) return
  const [[row]] = await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql<{ begun: string[] }>`
      select to_jsonb(private.report_alarms(${process}, ${JSON.stringify(reports)}::jsonb)) as begun`,
  ])
  alarms.stored(reports, row?.begun ?? [])
}
