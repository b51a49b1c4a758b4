/** Reads the audit log with its filter. */
import type { Database, Json } from '@finanzas/contract/database-types.ts'
import { readUuid } from '@finanzas/contract/format/uuid.ts'
import { backend } from '#api/client.ts'
import { readAll, type ReadAfter } from '#api/read-all.ts'
import { unwrap } from '#api/unwrap.ts'
import { rowPages } from '#staff/lists/row-pages.ts'
import { nameOf, type FoundUser } from '#staff/users/users.ts'
import { dayOf, isoDay } from '#ui/format/dates.ts'

type AuditColumns = Database['public']['Views']['audit_entries']['Row']

/**
 * An audit entry, with the ids of the actor and of the person concerned. It contains the name of a person only while
 * the account exists.
 */
export type AuditEntry = Pick<
  AuditColumns,
  'actor' | 'actor_name' | 'target' | 'target_name' | 'session_id' | 'hash' | 'before' | 'after'
> & { [Column in 'id' | 'recorded_at' | 'origin' | 'action']: NonNullable<AuditColumns[Column]> }

/** Acts that changed something, or the reading of customers' data. */
export const auditKinds = ['changes', 'reads', 'all'] as const
export type AuditKind = (typeof auditKinds)[number]

export type AuditFilter = {
  /** `null` unless the administrator chose a kind. The default of the page (`shownKind`) does not count as a choice. */
  kind: AuditKind | null
  /** Ids of the person that the entry concerns (`person`) and of the person who acted (`actor`). */
  person: string | null
  actor: string | null
  action: string | null
  /** First and last day of the period, for example `2026-11-23`. */
  from: string | null
  to: string | null
}

/** Names of the URL parameters, which are Spanish like all URLs. */
const parameters = {
  kind: 'tipo',
  person: 'persona',
  actor: 'administrador',
  action: 'accion',
  from: 'desde',
  to: 'hasta',
} as const satisfies Record<keyof AuditFilter, string>

/** Values of the URL parameter `tipo`. */
const kindWords = {
  changes: 'cambios',
  reads: 'consultas',
  all: 'todo',
} as const satisfies Record<AuditKind, string>

function kindIn(value: string | null): AuditKind | null {
  return auditKinds.find((kind) => kindWords[kind] === value) ?? null
}

/**
 * Returns the kind that the page shows, which is the changes by default, because the readings are many. A file is the
 * evidence of what a person did. It contains every kind unless the administrator chose one.
 */
export function shownKind({ kind, action }: AuditFilter): AuditKind {
  return kind ?? (action === null ? 'changes' : 'all')
}

/** Reads the filter from URL parameters. Ignores values that the database could not parse. */
export function readFilter(address: URLSearchParams): AuditFilter {
  const value = (name: keyof AuditFilter) => address.get(parameters[name])
  const day = (name: 'from' | 'to') => {
    const text = value(name) ?? ''
    return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : null
  }
  const action = value('action')
  return {
    // The name of an action says already of which kind it is.
    kind: action !== null ? null : kindIn(value('kind')),
    person: readUuid(value('person') ?? ''),
    actor: readUuid(value('actor') ?? ''),
    action,
    from: day('from'),
    to: day('to'),
  }
}

export function writeFilter(
  address: URLSearchParams,
  { kind, ...filter }: Partial<AuditFilter>,
): URLSearchParams {
  const changed = new URLSearchParams(address)
  if (kind === null) changed.delete(parameters.kind)
  else if (kind !== undefined) changed.set(parameters.kind, kindWords[kind])
  for (const name of Object.keys(filter) as (keyof typeof filter)[]) {
    const value = filter[name]
    if (value === null || value === undefined) changed.delete(parameters[name])
    else changed.set(parameters[name], value)
  }
  return changed
}

/** Reads the audit log page by page, with the newest entry first. */
export function auditQuery(filter: AuditFilter) {
  return rowPages(['audit', filter], entriesOf({ ...filter, kind: shownKind(filter) }))
}

/** Maximum number of entries in a file. */
const fileRowsMax = 50_000

/**
 * Reads the entries for a file, with the newest entry first. `isCut` is true if there may be more entries than the file
 * can contain.
 */
export async function readAllEntries(
  filter: AuditFilter,
): Promise<{ entries: AuditEntry[]; isCut: boolean }> {
  const entries = await readAll(entriesOf(filter), { max: fileRowsMax })
  return { entries, isCut: entries.length >= fileRowsMax }
}

function entriesOf({ kind, person, actor, action, from, to }: AuditFilter): ReadAfter<AuditEntry> {
  return async (last, { rowsMax, signal }) => {
    const client = await backend()
    const read = client.rpc(
      'audit_of',
      {
        ...(kind !== null && kind !== 'all' && { kind }),
        ...(person !== null && { user_id: person }),
        ...(actor !== null && { actor }),
        ...(action !== null && { action }),
        ...(from !== null && { since: startOfDay(from) }),
        ...(to !== null && { until: startOfDay(isoDay(dayOf(to) + 1)) }),
        before_entry: last?.id ?? Number.MAX_SAFE_INTEGER,
        rows_max: rowsMax,
      },
      { get: true },
    )
    return unwrap(await (signal === undefined ? read : read.abortSignal(signal))) as AuditEntry[]
  }
}

/** Returns the start of a day in Bogotá. Bogotá's UTC offset does not change during the year. */
function startOfDay(day: string): string {
  return `${day}T00:00:00-05:00`
}

/** Limit of `public.find_customers`. */
const lookupMax = 10_000

/** Returns the ids of the people who have no name in the entries. Their accounts may have been deleted. */
export function unnamedIn(entries: readonly AuditEntry[], others: readonly (string | null)[] = []): string[] {
  const ids = entries.flatMap(({ actor, actor_name, target, target_name, after }) => [
    actor_name?.trim() ? null : actor,
    target_name?.trim() ? null : target,
    approverIn(after),
  ])
  return [...new Set([...ids, ...others].filter((id) => id !== null))].sort().slice(0, lookupMax)
}

export function namesOf(found: readonly FoundUser[]): ReadonlyMap<string, string> {
  return new Map(found.map(({ id, full_name, email }) => [id, nameOf(full_name, email)]))
}

/** Returns the id of the administrator who approved the act, or `null` if the act needed no approval. */
export function approverIn(after: Json | null): string | null {
  if (after === null || typeof after !== 'object' || Array.isArray(after)) return null
  const { approved_by: approver } = after
  return typeof approver === 'string' ? approver : null
}

/** Longest time between two readings that are shown as one row. */
const foldedMs = 60_000

/** An entry, with the number of equal readings that its row stands for. */
export type FoldedEntry = AuditEntry & { readings: number }

/**
 * Joins equal readings by one administrator that follow each other within a minute, newest first. Changes are never
 * joined.
 */
export function foldReadings(entries: readonly AuditEntry[]): FoldedEntry[] {
  const folded: FoldedEntry[] = []
  for (const entry of entries) {
    const last = folded.at(-1)
    if (last !== undefined && areOneReading(last, entry)) last.readings += 1
    else folded.push({ ...entry, readings: 1 })
  }
  return folded
}

function areOneReading(newest: AuditEntry, entry: AuditEntry): boolean {
  return (
    isReading(entry) &&
    newest.action === entry.action &&
    newest.actor === entry.actor &&
    newest.origin === entry.origin &&
    newest.target === entry.target &&
    JSON.stringify(newest.after) === JSON.stringify(entry.after) &&
    Date.parse(newest.recorded_at) - Date.parse(entry.recorded_at) < foldedMs
  )
}

function isReading({ action }: AuditEntry): boolean {
  return /^(?:read|list|search)_/.test(action)
}
