/** Formats dates for es-CO in Bogotá's time zone, independently of the machine's time zone. */
import { bogotaOffsetMs } from '@finanzas/contract/format/bogota.ts'
import { lazily } from './lazily.ts'

const timeZone = 'America/Bogota'
const dayMs = 24 * 60 * 60 * 1000

const long = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone, dateStyle: 'full' }))
const withTime = lazily(
  () => new Intl.DateTimeFormat('es-CO', { timeZone, dateStyle: 'long', timeStyle: 'short' }),
)
const time = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone, timeStyle: 'short' }))
const heading = lazily(
  () => new Intl.DateTimeFormat('es-CO', { timeZone, weekday: 'long', day: 'numeric', month: 'long' }),
)

export function formatDateLong(date: Date): string {
  return long().format(date)
}

/**
 * Formats a date as `3 nov`, and adds the year if it differs from the year of `now`. Returns an empty string for an
 * invalid date.
 */
export function formatDateShort(iso: string, now = new Date()): string {
  const [thisYear] = dayInBogota(now).split('-')
  const [dayAndMonth, year] = shortParts(iso)
  return year === thisYear ? dayAndMonth : `${dayAndMonth} ${year}`.trim()
}

/**
 * Formats a date as `3 nov 2026`, for texts that are stored or printed. Returns an empty string for an invalid date.
 */
export function formatDateWithYear(iso: string): string {
  return shortParts(iso).join(' ').trim()
}

/**
 * Formats a date as `3 de noviembre`, and adds the year if it is not the current year. Returns an empty string for an
 * invalid date.
 */
export function formatDateInWords(iso: string, now = new Date()): string {
  const day = bogotaDay(iso)
  if (Number.isNaN(day)) return ''
  const [year = '', month, dayOfMonth] = isoDay(day).split('-')
  const [thisYear] = dayInBogota(now).split('-')
  const dayAndMonth = `${Number(dayOfMonth)} de ${monthName(Number(month))}`
  return year === thisYear ? dayAndMonth : `${dayAndMonth} de ${year}`
}

/** Formats a time as `ahora`, `hace 5 minutos` or `ayer`, or as a date if it is more than a week ago. */
export function formatAgo(iso: string, now = new Date()): string {
  const seconds = (now.getTime() - Date.parse(iso)) / 1000
  if (Number.isNaN(seconds)) return ''
  const days = bogotaDay(now) - bogotaDay(iso)
  if (days > agoDaysMax) return formatDateShort(iso, now)
  if (days > 0 && seconds >= hourSeconds * 12) return ago().format(-days, 'day')
  if (seconds >= hourSeconds) return ago().format(-Math.floor(seconds / hourSeconds), 'hour')
  if (seconds >= 60) return ago().format(-Math.floor(seconds / 60), 'minute')
  return ago().format(0, 'second')
}

const ago = lazily(() => new Intl.RelativeTimeFormat('es-CO', { numeric: 'auto' }))
const agoDaysMax = 7
const hourSeconds = 3600

/** Formats a time as `20 de noviembre de 2026, 10:00 a. m.`. Returns an empty string for an invalid date. */
export function formatDateTime(iso: string): string {
  return formatWith(withTime(), iso)
}

/** Formats a time as `20 nov, 10:00 a. m.`, for lists. Returns an empty string for an invalid date. */
export function formatDateTimeShort(iso: string, now = new Date()): string {
  const day = formatDateShort(iso, now)
  return day === '' ? '' : `${day}, ${formatWith(time(), iso)}`
}

/** Formats a time as `9:14 a. m.`, and adds the date if it is not the day of `now` in Bogotá. */
export function formatMoment(moment: Date, now: Date): string {
  return (bogotaDay(moment) === bogotaDay(now) ? time() : withTime()).format(moment)
}

/**
 * Returns the day in Bogotá as the number of days since 1970-01-01, or `NaN` for an invalid date. The function is cheap
 * enough to be called for every row.
 */
export function bogotaDay(date: string | Date): number {
  const ms = typeof date === 'string' ? Date.parse(date) : date.getTime()
  return Math.floor((ms + bogotaOffsetMs) / dayMs)
}

/** Formats a day as `viernes, 20 de noviembre`, and adds the year if it is not the current year. */
export function formatDay(day: number, currentYear: number): string {
  if (Number.isNaN(day)) return ''
  const noon = noonOf(day)
  return noon.getUTCFullYear() === currentYear ? heading().format(noon) : long().format(noon)
}

/** Formats a day as the value of a date field: `2026-11-20`. */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

/** Returns the day in Bogotá at the given time, as the value of a date field. */
export function dayInBogota(moment = new Date()): string {
  return isoDay(bogotaDay(moment))
}

/** Converts a date field's value to the number of days since 1970-01-01, or to `NaN` if the day is invalid. */
export function dayOf(dateField: string): number {
  return bogotaDay(noonInBogota(dateField))
}

/** Returns noon in Bogotá on the day that a date field contains: `2026-11-20` becomes `2026-11-20T12:00:00-05:00`. */
export function noonInBogota(dateField: string): string {
  return `${dateField}T12:00:00-05:00`
}

/** Month names, computed only once because every row of a list needs them. */
const monthNames = lazily(() => monthNamesOf('long'))
const monthNamesShort = lazily(() => monthNamesOf('short'))

function monthNamesOf(length: 'long' | 'short'): string[] {
  const name = new Intl.DateTimeFormat('es-CO', { timeZone: 'UTC', month: length })
  return Array.from({ length: 12 }, (_, month) => name.format(Date.UTC(2026, month, 1)).replace('.', ''))
}

/** Returns `noviembre` for 11. */
export function monthName(month: number): string {
  return monthNames()[month - 1] ?? ''
}

/** Returns `nov` for 11. */
export function monthNameShort(month: number): string {
  return monthNamesShort()[month - 1] ?? ''
}

/** Returns the day and month as one string and the year as another. Both strings are empty for an invalid date. */
function shortParts(iso: string): [dayAndMonth: string, year: string] {
  const day = bogotaDay(iso)
  if (Number.isNaN(day)) return ['', '']
  const [year = '', month, dayOfMonth] = isoDay(day).split('-')
  return [`${Number(dayOfMonth)} ${monthNameShort(Number(month))}`, year]
}

function noonOf(day: number): Date {
  return new Date(day * dayMs + dayMs / 2 - bogotaOffsetMs)
}

function formatWith(format: Intl.DateTimeFormat, iso: string): string {
  const ms = Date.parse(iso)
  return Number.isNaN(ms) ? '' : format.format(ms)
}
