/**
 * The `Prefer` header (RFC 7240; PostgREST v16, Preferences.hs). Estimated counts are answered exactly:
 * the planner's estimate ignores row-level security and would count rows of other customers.
 */
import { restErrors } from '#rest/errors.ts'

/** What the client prefers; `null` where it does not say. */
export type Preferences = {
  readonly returned: 'minimal' | 'headers-only' | 'representation' | null
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | null
  readonly missing: 'default' | 'null' | null
  readonly countsTotal: boolean
  readonly handling: 'strict' | 'lenient' | null
  /** How many rows a write may touch at most; obeyed under strict handling only. */
  readonly maxAffected: number | null
}

type Writable = { -readonly [K in keyof Preferences]: Preferences[K] }

/** Reads the header's value. Throws PGRST122 when it asks for strictness and for something unknown. */
export function parsePreferences(header: string | undefined): Preferences {
  const preferences: Writable = {
    returned: null,
    resolution: null,
    missing: null,
    countsTotal: false,
    handling: null,
    maxAffected: null,
  }
  if (header === undefined) return preferences
  const unknown = header
    .split(',')
    .map((preference) => preference.trim())
    .filter((preference) => preference !== '' && !apply(preferences, preference))
  if (preferences.handling !== 'strict') return { ...preferences, maxAffected: null }
  if (unknown.length > 0) throw restErrors.preferences(unknown)
  return preferences
}

/** The value of `Preference-Applied`, or `null` when nothing was asked for. */
export function appliedPreferences(preferences: Preferences, isWrite: boolean): string | null {
  const { returned, resolution, missing, countsTotal, handling, maxAffected } = preferences
  const applied = [
    isWrite && resolution !== null && `resolution=${resolution}`,
    isWrite && missing !== null && `missing=${missing}`,
    isWrite && returned !== null && `return=${returned}`,
    countsTotal && 'count=exact',
    handling !== null && `handling=${handling}`,
    isWrite && maxAffected !== null && `max-affected=${maxAffected}`,
  ].filter((preference) => preference !== false)
  return applied.length === 0 ? null : applied.join(', ')
}

const maxAffected = /^max-affected=(\d{1,9})$/

function apply(preferences: Writable, preference: string): boolean {
  const max = maxAffected.exec(preference)?.[1]
  if (max !== undefined) {
    preferences.maxAffected = Number(max)
    return true
  }
  switch (preference) {
    case 'return=minimal':
    case 'return=headers-only':
    case 'return=representation':
      preferences.returned = preference.slice('return='.length) as Preferences['returned']
      return true
    case 'resolution=merge-duplicates':
    case 'resolution=ignore-duplicates':
      preferences.resolution = preference.slice('resolution='.length) as Preferences['resolution']
      return true
    case 'missing=default':
    case 'missing=null':
      preferences.missing = preference.slice('missing='.length) as Preferences['missing']
      return true
    case 'count=exact':
    case 'count=planned':
    case 'count=estimated':
      preferences.countsTotal = true
      return true
    case 'handling=strict':
    case 'handling=lenient':
      preferences.handling = preference.slice('handling='.length) as Preferences['handling']
      return true
    default:
      return false
  }
}
