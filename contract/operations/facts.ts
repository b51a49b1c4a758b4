/** The facts about a bank in words, for `npm run status` and for the page of administrators. */
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { sizeInWords } from '@finanzas/contract/format/size.ts'
import type { Database } from '@finanzas/contract/database-types.ts'
import { type AlarmCode, isAlarmCode } from './alarms.ts'
import { type AlarmText, alarmCopy, factCopy as copy } from './copy.ts'

/** The state of a bank. For an operator, the state includes the names of the servers. */
export type BankState = Database['public']['Functions']['read_bank_state']['Returns']

type ServerState = BankState['servers'][number]

/** A fact with its label. The fact about the servers has one line for each server; every other fact has one line. */
export type Fact = { readonly label: string; readonly lines: readonly string[] }

/**
 * Returns the facts about a bank. `newestMigration` is the newest migration of the release that asks, so that the facts
 * say whether the release has yet to apply it; `null` if only the database is known.
 */
export function factsOf(state: BankState, newestMigration: string | null = null): Fact[] {
  const running = state.servers.filter((server) => !server.is_gone)
  const isHosted = state.mails_waiting === null
  const engine = copy.engines[running[0]?.engine ?? '']
  const fact = (label: string, ...lines: string[]): Fact => ({ label, lines })
  const since = (iso: string) => copy.age(momentInWords(iso), ageInWords(iso, state))
  const unknownIfHosted = (line: string) => (isHosted ? copy.unknown : line)
  return [
    fact(
      copy.serving,
      unknownIfHosted(state.serving_since === null ? copy.notServing : since(state.serving_since)),
    ),
    fact(
      copy.version,
      unknownIfHosted([...new Set(running.map((server) => server.version))].join(', ') || copy.noVersion),
    ),
    fact(copy.migration, migrationFact(state, newestMigration)),
    fact(copy.engine, copy.database(state.database_version, isHosted ? undefined : engine)),
    fact(copy.size, sizeInWords(state.database_bytes)),
    fact(
      copy.backup,
      unknownIfHosted(state.last_backup_at === null ? noBackup(running) : since(state.last_backup_at)),
    ),
    fact(copy.ledger, ledgerFact(state, since)),
    fact(copy.mails, unknownIfHosted(mailFact(state))),
    fact(copy.servers, ...(isHosted ? [copy.unknown] : serverLines(state))),
  ]
}

function migrationFact({ migration }: BankState, newest: string | null): string {
  if (migration === null) return copy.unknown
  return newest === null || newest <= migration ? migration : copy.migrationWaits(migration, newest)
}

function noBackup(running: readonly ServerState[]): string {
  const isElsewhere =
    running.length > 0 && running.every(({ backup_interval_minutes: minutes }) => (minutes ?? 0) === 0)
  return isElsewhere ? copy.backupElsewhere : copy.noBackup
}

function ledgerFact(state: BankState, since: (iso: string) => string): string {
  if (state.ledger_checked_at === null) return copy.never
  const when = since(state.ledger_checked_at)
  return state.is_ledger_broken ? copy.ledgerBroken(when) : copy.ledgerSound(when)
}

function mailFact(state: BankState): string {
  const { mails_waiting: count, oldest_mail_at: oldest } = state
  if (count === null || count === 0) return copy.noMails
  return copy.waitingMails(count, oldest === null ? null : ageInWords(oldest, state))
}

function serverLines(state: BankState): string[] {
  if (state.servers.length === 0) return [copy.notServing]
  return state.servers.map((server, index) => {
    const name = server.name ?? copy.unnamed(index + 1)
    if (server.is_gone) return copy.goneServer(name, ageInWords(server.seen_at, state))
    const line = copy.server(name, server.version, ageInWords(server.started_at, state))
    return server.disk_free_bytes === null
      ? line
      : `${line}, ${copy.diskFree(sizeInWords(server.disk_free_bytes))}`
  })
}

/** An alarm with its text. */
export type ShownAlarm = AlarmText & {
  readonly code: AlarmCode
  readonly server: string | null
  /** The times at which the alarm began and ended. `ended` is `null` while the alarm is open. */
  readonly begun: string
  readonly ended: string | null
}

/** Returns the alarms that this release knows, the open ones first. */
export function alarmsOf(state: BankState): ShownAlarm[] {
  const since = (iso: string) => copy.age(momentInWords(iso), ageInWords(iso, state))
  return state.alarms.flatMap(({ code, server, begun_at: begun, ended_at: ended }) =>
    isAlarmCode(code)
      ? [
          {
            ...alarmCopy[code],
            code,
            server,
            begun: ended === null ? since(begun) : momentInWords(begun),
            ended: ended === null ? null : since(ended),
          },
        ]
      : [],
  )
}

/** Returns whether a server is running, the ledger is correct, and no alarm is open. */
export function isAllWell(state: BankState): boolean {
  // The alarm about the ledger is not enough: a server reports it up to a minute late, and a hosted project never
  // reports it.
  return isServed(state) && !state.is_ledger_broken && state.alarms.every((alarm) => alarm.ended_at !== null)
}

/** Returns whether a server runs. On a hosted project, no server reports. */
export function isServed(state: BankState): boolean {
  return state.mails_waiting === null || state.servers.some((server) => !server.is_gone)
}

const ages = new Intl.RelativeTimeFormat('es-CO', { numeric: 'always' })
const minuteSeconds = 60
const hourSeconds = 3600
const daySeconds = 86_400

/** Returns how long ago a time was: `hace 34 minutos`. */
function ageInWords(iso: string, { read_at: readAt }: BankState): string {
  const seconds = (Date.parse(readAt) - Date.parse(iso)) / 1000
  if (seconds < minuteSeconds) return copy.now
  if (seconds < 2 * hourSeconds) return ages.format(-Math.floor(seconds / minuteSeconds), 'minute')
  if (seconds < 2 * daySeconds) return ages.format(-Math.floor(seconds / hourSeconds), 'hour')
  return ages.format(-Math.floor(seconds / daySeconds), 'day')
}
