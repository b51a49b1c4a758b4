/**
 * Stores the query results that a customer last saw, so that the page can start without a connection. The results stay
 * in this browser for at most a day, and only while the session is stored
 * (docs/decisions/0055-what-is-kept-for-a-start-without-a-connection.md).
 */
import { readStored, writeStored } from '#storage/device-storage.ts'
import { hasStoredSession } from './stored.ts'

const key = 'finanzas-last-seen'
const lifeMs = 24 * 3_600_000
/** Maximum length of the stored text. A hundred transactions take about 30,000 characters. */
const charactersMax = 200_000

/** The result of one query. `readAt` is the time of the read in milliseconds since 1970. */
export type LastReading = {
  readonly name: readonly string[]
  readonly data: unknown
  readonly readAt: number
}

type LastSeen = { readonly userId: string; readonly readings: readonly LastReading[] }

/** Stores these results for the customer, and keeps earlier results that have other names. */
export function keepLastSeen(userId: string, readings: readonly LastReading[]): void {
  // The stored results must not outlive the session.
  if (!hasStoredSession()) return forgetLastSeen()
  const names = new Set(readings.map(nameOf))
  const others = lastSeen(userId).filter((reading) => !names.has(nameOf(reading)))
  const text = JSON.stringify({ userId, readings: [...others, ...readings] } satisfies LastSeen)
  if (text.length > charactersMax) return forgetLastSeen()
  writeStored(key, text)
}

/**
 * Returns the customer's stored results that have not expired. If no result is left, removes everything that is stored,
 * including another customer's results.
 */
export function lastSeen(userId: string): readonly LastReading[] {
  const seen = read()
  const isFresh = ({ readAt }: LastReading) => readAt <= Date.now() && Date.now() - readAt < lifeMs
  const readings = seen?.userId === userId ? seen.readings.filter(isFresh) : []
  if (readings.length === 0) forgetLastSeen()
  return readings
}

/** Removes the stored results, unless they belong to the customer whose id is `exceptOf`. */
export function forgetLastSeen(exceptOf?: string): void {
  if (exceptOf === undefined || read()?.userId !== exceptOf) writeStored(key, null)
}

function read(): LastSeen | null {
  try {
    return JSON.parse(readStored(key) ?? 'null') as LastSeen | null
  } catch {
    return null
  }
}

function nameOf({ name }: LastReading): string {
  return name.join(' ')
}
