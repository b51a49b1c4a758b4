/**
 * The alarms of this server. Each alarm is logged, and stays in memory until the database has stored it
 * (docs/decisions/0072). The server can therefore also report an outage of the database.
 */
import { type AlarmCode, alarms } from '@finanzas/contract/operations/alarms.ts'
import type { LoggedEvent } from '#http/events.ts'

/** For each alarm, the message that is logged when the alarm begins. */
const lines = {
  'database-away': 'ALARM: the database does not answer',
  'login-refused': 'ALARM: the database refuses the login of this server',
  'clock-differs': 'ALARM: the clock differs from the database’s',
  'server-gone': 'ALARM: a server does not report',
  'disk-low': 'ALARM: the disk is almost full',
  'database-grows': 'ALARM: the database grows too fast',
  'backup-failed': 'ALARM: no backup was made',
  'backup-old': 'ALARM: the last backup is old',
  'ledger-broken': 'ALARM: the ledger does not verify',
  'ledger-unchecked': 'ALARM: the ledger was not verified',
  'mails-wait': 'ALARM: mails wait',
  'replica-gone': 'ALARM: the synchronous standby is missing',
  'one-administrator': 'ALARM: transfers need a second administrator',
  'certificate-expires': 'ALARM: the certificate for papers expires',
  'mail-given-up': 'ALARM: a mail could not be sent',
} as const satisfies Record<AlarmCode, LoggedEvent>

/** Time after which the database ends an alarm that was not reported again: two and a half report intervals. */
const reportLastsMs = 150_000

/** Time during which further events about the same subject, for example the same mail address, are only logged. */
const sameEventMs = 24 * 3_600_000
/**
 * Maximum number of subjects that the server remembers. The server forgets the oldest subject first. The next event
 * about a forgotten subject begins the alarm again.
 */
const thingsMax = 1000

/** An alarm in the form in which `private.report_alarms` reads it. */
export type AlarmReport = {
  readonly code: AlarmCode
  readonly is_of_bank: boolean
  readonly begun_seconds_ago: number
  readonly lasts_seconds: number
}

type Open = {
  readonly begunAt: number
  /** Time at which the alarm ended or will end; `null` while its condition lasts. */
  endsAt: number | null
  isLogged: boolean
  isStored: boolean
}

type Log = (event: LoggedEvent, fields: Readonly<Record<string, unknown>>) => void

export class Alarms {
  readonly #log: Log
  readonly #now: () => number
  readonly #open = new Map<AlarmCode, Open>()
  /** For each code and subject, the time of the event that began an alarm; the oldest time comes first. */
  readonly #begunBy = new Map<string, number>()
  #onChanged: () => void = () => undefined

  constructor(log: Log, now: () => number = () => Date.now()) {
    this.#log = log
    this.#now = now
  }

  /** Calls the listener whenever an alarm begins or ends. */
  onChanged(listener: () => void): void {
    this.#onChanged = listener
  }

  /**
   * Logs the alarm with its details, and keeps the alarm without the details in memory. `about` is the subject of the
   * event, for example a mail address. For a day, further events about this subject are logged but do not begin the
   * alarm again. Otherwise, an address that refuses every mail would keep the alarm open for ever.
   */
  begin(code: AlarmCode, fields: Readonly<Record<string, unknown>> = {}, about: string | null = null): void {
    this.#log(lines[code], fields)
    if (about !== null && this.#isRepeated(`${code} ${about}`)) return
    this.#remember(code).isLogged = true
    this.#onChanged()
  }

  end(code: AlarmCode): void {
    const open = this.#open.get(code)
    if (open === undefined || open.endsAt !== null) return
    open.endsAt = this.#now()
    this.#onChanged()
  }

  /**
   * Begins or ends an alarm according to its condition. The alarm is logged only after the database has stored it,
   * because only one of several servers logs an alarm of the bank.
   */
  observe(code: AlarmCode, isOpen: boolean): void {
    if (isOpen) this.#remember(code)
    else this.end(code)
  }

  /** Returns the time at which the alarm began, in milliseconds since 1970; `null` if the alarm is not open. */
  openSince(code: AlarmCode): number | null {
    const open = this.#open.get(code)
    return open === undefined || this.#hasEnded(open) ? null : open.begunAt
  }

  /**
   * Returns the alarms that the database must store, including alarms that ended before the database could store them.
   */
  reports(): AlarmReport[] {
    return [...this.#open].map(([code, { begunAt, endsAt }]) => ({
      code,
      is_of_bank: alarms[code].isOfBank,
      begun_seconds_ago: (this.#now() - begunAt) / 1000,
      lasts_seconds: (endsAt === null ? reportLastsMs : endsAt - this.#now()) / 1000,
    }))
  }

  /**
   * Marks the reported alarms as stored, and forgets the alarms that have ended. `begun` contains the codes of the
   * alarms that were new to the database.
   */
  stored(reports: readonly AlarmReport[], begun: readonly string[]): void {
    for (const { code } of reports) {
      const open = this.#open.get(code)
      if (open === undefined) continue
      if (begun.includes(code) && !open.isLogged) this.#log(lines[code], {})
      open.isLogged = true
      open.isStored = true
      if (this.#hasEnded(open)) this.#open.delete(code)
    }
  }

  /** Returns the alarms that are open and that the database does not have, with the time at which each began. */
  unstored(): { readonly code: AlarmCode; readonly begunAt: number }[] {
    return [...this.#open].flatMap(([code, open]) =>
      open.isStored || this.#hasEnded(open) ? [] : [{ code, begunAt: open.begunAt }],
    )
  }

  #isRepeated(thing: string): boolean {
    const begunAt = this.#begunBy.get(thing)
    if (begunAt !== undefined && this.#now() - begunAt < sameEventMs) return true
    this.#begunBy.delete(thing)
    this.#begunBy.set(thing, this.#now())
    const [oldest] = this.#begunBy.keys()
    if (this.#begunBy.size > thingsMax && oldest !== undefined) this.#begunBy.delete(oldest)
    return false
  }

  #remember(code: AlarmCode): Open {
    const { lastsSeconds } = alarms[code]
    const endsAt = lastsSeconds === undefined ? null : this.#now() + lastsSeconds * 1000
    const known = this.#open.get(code)
    if (known !== undefined && !this.#hasEnded(known)) {
      known.endsAt = endsAt
      return known
    }
    const open = { begunAt: this.#now(), endsAt, isLogged: false, isStored: false }
    this.#open.set(code, open)
    return open
  }

  #hasEnded({ endsAt }: Open): boolean {
    return endsAt !== null && endsAt <= this.#now()
  }
}
