/** Dates as es-CO writes them, in Bogotá, whatever the zone of the machine. */
import { lazily } from './lazily.ts'

const timeZone = 'America/Bogota'
/** Colombia has kept UTC-5 without daylight saving since 1993. */
const bogotaOffsetMs = -5 * 60 * 60 * 1000
const dayMs = 24 * 60 * 60 * 1000

const long = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone, dateStyle: 'full' }))
const short = lazily(
  () => new Intl.DateTimeFormat('es-CO', { timeZone, day: '2-digit', month: 'short', year: 'numeric' }),
)
const withTime = lazily(
  () => new Intl.DateTimeFormat('es-CO', { timeZone, dateStyle: 'long', timeStyle: 'short' }),
)
const time = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone, timeStyle: 'short' }))
const heading = lazily(
  () => new Intl.DateTimeFormat('es-CO', { timeZone, weekday: 'long', day: 'numeric', month: 'long' }),
)
const monthName = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone, month: 'long' }))

export function formatDateLong(date: Date): string {
  return long().format(date)
}

/** `20 de nov de 2026`; an unreadable date gives an empty text. */
export function formatDateShort(iso: string): string {
  return formatWith(short(), iso)
}

/** `20 de noviembre de 2026, 10:00 a. m.`; an unreadable date gives an empty text. */
export function formatDateTime(iso: string): string {
  return formatWith(withTime(), iso)
}

/** `9:14 a. m.` on the day of `now` in Bogotá, with its date on any other. */
export function formatMoment(moment: Date, now: Date): string {
  return (bogotaDay(moment) === bogotaDay(now) ? time() : withTime()).format(moment)
}

export function formatMonthName(date: Date): string {
  return monthName().format(date)
}

/** The day in Bogotá as a count of days since 1970-01-01; `NaN` for an unreadable date. Cheap enough for every row. */
export function bogotaDay(date: string | Date): number {
  const ms = typeof date === 'string' ? Date.parse(date) : date.getTime()
  return Math.floor((ms + bogotaOffsetMs) / dayMs)
}

/** `viernes, 20 de noviembre` for the current year's days, with the year for the others. */
export function formatDay(day: number, currentYear: number): string {
  if (Number.isNaN(day)) return ''
  const noon = noonOf(day)
  return noon.getUTCFullYear() === currentYear ? heading().format(noon) : long().format(noon)
}

/** The day as a date field writes it: `2026-11-20`. */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** Noon in Bogotá of a day that a date field gives: `2026-11-20` answers `2026-11-20T12:00:00-05:00`. */
export function noonInBogota(dateField: string): string {
  return `${dateField}T12:00:00-05:00`
}

/** The first instant of the month in Bogotá, as ISO 8601: `2026-11-01T00:00:00-05:00`. */
export function monthStart(date: Date): string {
  return `${isoDay(bogotaDay(date)).slice(0, 7)}-01T00:00:00-05:00`
}

function noonOf(day: number): Date {
  return new Date(day * dayMs + dayMs / 2 - bogotaOffsetMs)
}

function formatWith(format: Intl.DateTimeFormat, iso: string): string {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? '' : format.format(ms)
}
