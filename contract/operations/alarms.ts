/**
 * The alarms of a bank, and the limits at which they begin (docs/decisions/0072). copy.ts has the Spanish text of each
 * alarm. The alert rules in deploy/alerts.yaml use the same limits, and tools/deploy.test.ts compares them.
 */

const minute = 60
const hour = 60 * minute

const kinds = {
  'database-away': { isOfBank: false },
  'login-refused': { isOfBank: false, lastsSeconds: 5 * minute },
  'clock-differs': { isOfBank: false },
  'server-gone': { isOfBank: true },
  'disk-low': { isOfBank: false },
  'database-grows': { isOfBank: false, lastsSeconds: 2 * hour },
  'backup-failed': { isOfBank: false },
  'backup-old': { isOfBank: false },
  'ledger-broken': { isOfBank: true },
  'ledger-unchecked': { isOfBank: true },
  'mails-wait': { isOfBank: true },
  'replica-gone': { isOfBank: true },
  'one-administrator': { isOfBank: true },
  'certificate-expires': { isOfBank: false },
  'mail-given-up': { isOfBank: true, lastsSeconds: hour },
} as const satisfies Record<string, AlarmKind>

/** The alarm's code, which the database stores. Codes are never reused. */
export type AlarmCode = keyof typeof kinds

export const alarms: Readonly<Record<AlarmCode, AlarmKind>> = kinds

type AlarmKind = {
  /** True if all servers report the same alarm, and false if each server can have a separate alarm. */
  readonly isOfBank: boolean
  /** How long the alarm of an event stays open after the last event. Other alarms last as long as their condition. */
  readonly lastsSeconds?: number
}

/** The limits of the alarms. */
export const alarmLimits = {
  /** Age of the oldest mail that has not been sent yet. */
  mailSeconds: hour / 2,
  /** Age of the last verification of the ledger. */
  ledgerSeconds: 36 * hour,
  /** Age of the last backup, in intervals of `BACKUP_INTERVAL_MINUTES`. */
  backupIntervals: 3,
  /** Age of the last backup if the operator has not decided who makes the backups of a bank on PostgreSQL. */
  undecidedBackupSeconds: 24 * hour,
  /** Time for which PostgreSQL has had no synchronous standby, after it had one. */
  replicaSeconds: minute,
  /**
   * Free space on the disk of `DATA_DIR`. Below 64 MiB the embedded engine refuses writes, and a backup needs 128 MiB
   * in addition to twice the size of the bank's database.
   */
  diskBytes: 512 * 1024 * 1024,
  /** Time until the bank's own certificate for papers expires. */
  certificateSeconds: 30 * 24 * hour,
  /** Time since a server's last report. */
  serverSeconds: 3 * minute,
} as const

export function isAlarmCode(code: string): code is AlarmCode {
  return Object.hasOwn(alarms, code)
}
