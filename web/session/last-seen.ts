/**
 * The figures that a customer's pages last showed, for a start without a connection. They stay in this browser for a
 * day at most, while the session is stored (docs/decisions/0055-what-is-kept-for-a-start-without-a-connection.md).
 */
import { hasStoredSession } from './stored.ts'

const key = 'finanzas-last-seen'
const lifeMs = 24 * 3_600_000
/** A hundred transactions are thirty thousand characters; a longer result is not kept. */
const charactersMax = 200_000

/** The answer of one reading; `readAt` in milliseconds since 1970. */
export type LastReading = {
  readonly name: readonly string[]
  readonly data: unknown
  readonly readAt: number
}

type LastSeen = { readonly userId: string; readonly readings: readonly LastReading[] }

/** Keeps these readings of that customer, and those under other names that were kept before. */
export function keepLastSeen(userId: string, readings: readonly LastReading[]): void {
  // A session that ended has taken what was kept with it.
  if (!hasStoredSession()) return forgetLastSeen()
  const names = new Set(readings.map(nameOf))
  const others = lastSeen(userId).filter((reading) => !names.has(nameOf(reading)))
  const text = JSON.stringify({ userId, readings: [...others, ...readings] } satisfies LastSeen)
  if (text.length > charactersMax) return forgetLastSeen()
  window.localStorage.setItem(key, text)
}

/** Returns that customer's kept results that are recent enough. Removes another customer's and expired ones. */
export function lastSeen(userId: string): readonly LastReading[] {
  const seen = read()
  const isFresh = ({ readAt }: LastReading) => readAt <= Date.now() && Date.now() - readAt < lifeMs
  const readings = seen?.userId === userId ? seen.readings.filter(isFresh) : []
  if (readings.length === 0) forgetLastSeen()
  return readings
}

/** Removes what is not that customer's: all of it where none is signed in. */
export function forgetLastSeen(exceptOf?: string): void {
  if (exceptOf === undefined || read()?.userId !== exceptOf) window.localStorage.removeItem(key)
}

function read(): LastSeen | null {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? 'null') as LastSeen | null
  } catch {
    return null
  }
}

function nameOf({ name }: LastReading): string {
  return name.join(' ')
}
