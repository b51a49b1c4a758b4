/** Dates as es-CO writes them, in Bogotá, in any time zone of the machine. */
import { bogotaOffsetMs } from '@finanzas/contract/bogota.ts'
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

/** `3 nov`, with its year where it is not the one of `now`; an unreadable date gives an empty text. */
export function formatDateShort(iso: string, now = new Date()): string {
  const [thisYear] = dayInBogota(now).split('-')
  const [dayAndMonth, year] = shortParts(iso)
  return year === thisYear ? dayAndMonth : `${dayAndMonth} ${year}`.trim()
}

/** `3 nov 2026`, for what is kept; an unreadable date gives an empty text. */
export function formatDateWithYear(iso: string): string {
  return shortParts(iso).join(' ').trim()
}

/** `ahora`, `hace 5 minutos`, `ayer`, and the date where it is more than a week ago. */
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

/** `20 de noviembre de 2026, 10:00 a. m.`; an unreadable date gives an empty text. */
export function formatDateTime(iso: string): string {
  return formatWith(withTime(), iso)
}

/** `20 nov, 10:00 a. m.`, for many of them below one another; an unreadable date gives an empty text. */
export function formatDateTimeShort(iso: string, now = new Date()): string {
  const day = formatDateShort(iso, now)
  return day === '' ? '' : `${day}, ${formatWith(time(), iso)}`
}

/** `9:14 a. m.` on the day of `now` in Bogotá, with its date on any other. */
export function formatMoment(moment: Date, now: Date): string {
  return (bogotaDay(moment) === bogotaDay(now) ? time() : withTime()).format(moment)
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

/** The day in Bogotá of a moment, as a date field writes it. */
export function dayInBogota(moment = new Date()): string {
  return isoDay(bogotaDay(moment))
}

/** The count of days of a date field's value; `NaN` for an invalid day. */
export function dayOf(dateField: string): number {
  return bogotaDay(noonInBogota(dateField))
}

/** Noon in Bogotá of a day that a date field gives: `2026-11-20` answers `2026-11-20T12:00:00-05:00`. */
export function noonInBogota(dateField: string): string {
  return `${dateField}T12:00:00-05:00`
}

/** A list draws it in every row: names are made once, not by a formatter at each date. */
const monthNames = lazily(() => {
  const name = new Intl.DateTimeFormat('es-CO', { timeZone: 'UTC', month: 'short' })
  return Array.from({ length: 12 }, (_, month) => name.format(Date.UTC(2026, month, 1)).replace('.', ''))
})

/** `nov` for 11 */
export function monthNameShort(month: number): string {
  return monthNames()[month - 1] ?? ''
}

/** Day and month, and the year; both empty for an unreadable date. */
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
