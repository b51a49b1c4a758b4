/**
 * Converts a row's JSON value and a filter's text to comparable values, depending on the column's type. Values that
 * cannot be compared reliably never count as equal.
 */
import { readUuid } from '@finanzas/contract/format/uuid.ts'

export type ColumnKind = 'number' | 'boolean' | 'time' | 'uuid' | 'text'

/** A value for which `<` and `===` give the same results as PostgreSQL's operators. Text is compared by code units. */
export type Comparable = number | string | boolean

const kinds: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ...['int2', 'int4', 'int8', 'float4', 'float8', 'numeric'].map((type) => [type, 'number'] as const),
  ...['timestamptz', 'timestamp', 'date'].map((type) => [type, 'time'] as const),
  ...['text', 'varchar', 'bpchar', 'name'].map((type) => [type, 'text'] as const),
  ['bool', 'boolean'],
  ['uuid', 'uuid'],
])

/** Returns how values of a type (`pg_type.typname`) are compared; `null` for types that filters cannot use. */
export function columnKind(type: string): ColumnKind | null {
  return kinds.get(type) ?? null
}

/**
 * Converts a row's value or a filter's text to a comparable value. Returns `null` if the value is null or does not
 * match the kind.
 */
export function comparableOf(kind: ColumnKind, value: unknown): Comparable | null {
  if (typeof value === 'boolean') return kind === 'boolean' ? value : null
  if (typeof value === 'number') return kind === 'number' ? value : null
  if (typeof value !== 'string') return null
  return readers[kind](value)
}

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i
const readers: Readonly<Record<ColumnKind, (text: string) => Comparable | null>> = {
  text: (text) => text,
  uuid: readUuid,
  number: (text) => (decimal.test(text) ? Number(text) : null),
  boolean: (text) => truths.get(text.toLowerCase()) ?? null,
  time: microsecondsOf,
}
const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['t', true],
  ['false', false],
  ['f', false],
])
const time =
  /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?)?$/i

/** Returns the microseconds since 1970. A time without a time zone is read as UTC. */
function microsecondsOf(text: string): number | null {
  const parts = time.exec(text)
  if (parts === null) return null
  const [, year, month, day, hours = 0, minutes = 0, seconds = 0, fraction = ''] = parts
  const [sign, zoneHours = 0, zoneMinutes = 0] = parts.slice(9)
  const zoneOffset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1)
  const milliseconds = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hours),
    Number(minutes) - zoneOffset,
    Number(seconds),
  )
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0'))
}
