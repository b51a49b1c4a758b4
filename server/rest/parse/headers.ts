/**
 * Parses `Accept` and `Prefer` (RFC 7240; PostgREST v16, MediaType.hs and Preferences.hs). Refuses to return query
 * plans, because they reveal rows that the caller must not see (security.md AZ-08). If the client requests an estimated
 * count, the server returns the exact count. The planner's estimate ignores row-level security and would include other
 * customers' rows.
 */
import { restErrors } from '#rest/errors.ts'

export type Format = {
  readonly kind: 'array' | 'object' | 'csv'
  /** Whether keys whose value is null are omitted from the objects. */
  readonly stripsNulls: boolean
}

const kinds: ReadonlyMap<string, Format['kind']> = new Map([
  ['*/*', 'array'],
  ['application/*', 'array'],
  ['application/json', 'array'],
  ['application/vnd.pgrst.array', 'array'],
  ['application/vnd.pgrst.array+json', 'array'],
  ['application/vnd.pgrst.object', 'object'],
  ['application/vnd.pgrst.object+json', 'object'],
  ['text/csv', 'csv'],
])

/** Returns the first of the accepted types that the server supports. Throws PGRST107. */
export function parseAccept(accept = '*/*'): Format {
  for (const range of accept.split(',')) {
    const [mediaType = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    const kind = kinds.get(mediaType)
    if (kind !== undefined) {
      return { kind, stripsNulls: kind !== 'csv' && parameters.includes('nulls=stripped') }
    }
  }
  throw restErrors.mediaType(accept)
}

export function contentTypeOf({ kind, stripsNulls }: Format): string {
  if (kind === 'csv') return 'text/csv; charset=utf-8'
  if (kind === 'array' && !stripsNulls) return 'application/json; charset=utf-8'
  return `application/vnd.pgrst.${kind}+json${stripsNulls ? ';nulls=stripped' : ''}; charset=utf-8`
}

/** The client's preferences. A preference that the client does not send is `null`. */
export type Preferences = {
  readonly returned: 'minimal' | 'headers-only' | 'representation' | null
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  readonly missing: 'default' | 'null' | null
  readonly countsTotal: boolean
  readonly handling: 'strict' | 'lenient' | null
  /** The time zone in which times are read and written; `null` for UTC. */
  readonly timezone: string | null
  /** Maximum number of rows that a write may change. This limit applies only with `handling=strict`. */
  readonly maxAffected: number | null
}

const knownPreferences: ReadonlyMap<string, Partial<Preferences>> = new Map<string, Partial<Preferences>>([
  ['return=minimal', { returned: 'minimal' }],
  ['return=headers-only', { returned: 'headers-only' }],
  ['return=representation', { returned: 'representation' }],
  ['resolution=merge-duplicates', { resolution: 'merge-duplicates' }],
  ['resolution=ignore-duplicates', { resolution: 'ignore-duplicates' }],
  ['missing=default', { missing: 'default' }],
  ['missing=null', { missing: 'null' }],
  ['count=exact', { countsTotal: true }],
  ['count=planned', { countsTotal: true }],
  ['count=estimated', { countsTotal: true }],
  ['handling=strict', { handling: 'strict' }],
  ['handling=lenient', { handling: 'lenient' }],
])

/** Parses the `Prefer` header. Throws PGRST122 if the header contains `handling=strict` and an unknown preference. */
export function parsePreferences(header = ''): Preferences {
  let preferences: Preferences = {
    returned: null,
    resolution: null,
    missing: null,
    countsTotal: false,
    handling: null,
    timezone: null,
    maxAffected: null,
  }
  const unknown: string[] = []
  for (const preference of header.split(',').map((part) => part.trim())) {
    const known = knownPreferences.get(preference) ?? readValue(preference, preferences)
    if (known === undefined && preference !== '') unknown.push(preference)
    preferences = { ...preferences, ...known }
  }
  if (preferences.handling !== 'strict') return { ...preferences, maxAffected: null }
  if (unknown.length > 0) throw restErrors.preferences(unknown)
  return preferences
}

/**
 * Reads a preference whose value is not from a fixed list. If the client sends several `timezone` preferences, uses the
 * first one, as upstream does.
 */
function readValue(preference: string, { timezone }: Preferences): Partial<Preferences> | undefined {
  const max = /^max-affected=(\d{1,9})$/.exec(preference)?.[1]
  if (max !== undefined) return { maxAffected: Number(max) }
  const zone = /^timezone=([A-Za-z][\w+/-]{0,63})$/.exec(preference)?.[1]
  return zone !== undefined && isTimezone(zone) ? { timezone: timezone ?? zone } : undefined
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** The kind of the request, which determines the preferences that apply. */
export type PreferringAction = 'read' | 'insert' | 'update' | 'delete' | 'call'

/** Returns the value of `Preference-Applied`, or `null` if no preference applies. */
export function appliedPreferences(preferences: Preferences, action: PreferringAction): string | null {
  const { returned, resolution, missing, countsTotal, handling, timezone, maxAffected } = preferences
  const isWrite = action !== 'read' && action !== 'call'
  const applied = [
    action === 'insert' && resolution !== null && `resolution=${resolution}`,
    isWrite && action !== 'delete' && missing !== null && `missing=${missing}`,
    isWrite && returned !== null && `return=${returned}`,
    countsTotal && 'count=exact',
    handling !== null && `handling=${handling}`,
    timezone !== null && `timezone=${timezone}`,
    action !== 'read' && action !== 'insert' && maxAffected !== null && `max-affected=${maxAffected}`,
  ].filter((preference) => preference !== false)
  return applied.length === 0 ? null : applied.join(', ')
}
