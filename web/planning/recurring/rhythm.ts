import { dayOf, formatDateShort, isoDay, noonInBogota } from '#ui/format/dates.ts'
import { lazily } from '#ui/format/lazily.ts'
import { addMonths, daysIn, formatMonth, monthOf } from '#ui/format/months.ts'
import { recurringCopy as copy } from './copy.ts'
import type { Rhythm, Schedule } from './recurring.ts'

export const rhythms = ['weekly', 'biweekly', 'monthly', 'yearly'] as const satisfies readonly Rhythm[]

/** The value of `due_day` that means the last day of the month. */
export const lastDayOfMonth = 31

const weekday = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone: 'UTC', weekday: 'long' }))

/** Describes a schedule, for example `Cada mes, el 5`, `Cada semana, el lunes` or `Cada año, el 5 de marzo`. */
export function scheduleInWords({ rhythm, due_day, next_due_on }: Schedule): string {
  if (rhythm === 'weekly' || rhythm === 'biweekly') {
    return copy.onWeekday(copy.rhythms[rhythm], weekday().format(new Date(`${next_due_on}T12:00:00Z`)))
  }
  if (rhythm === 'yearly') {
    const day = `${due_day} de ${formatMonth(monthOf(next_due_on))}`
    return copy.onDay(copy.rhythms.yearly, day)
  }
  return due_day === lastDayOfMonth ? copy.onLastDay : copy.onDay(copy.rhythms.monthly, String(due_day))
}

/** Formats a day as `5 dic`, and adds the year if it is not the current year. */
export function dayInWords(day: string): string {
  return formatDateShort(noonInBogota(day))
}

export function isLastOfMonth(day: string): boolean {
  return Number(day.slice(8)) === daysIn(monthOf(day))
}

/**
 * Returns the first date after today that falls on the same day of the month. In a shorter month, this is the last day.
 */
export function monthAfter(day: string, today: string): string {
  for (let month = addMonths(monthOf(day), 1); ; month = addMonths(month, 1)) {
    const next = `${month}-${String(Math.min(Number(day.slice(8)), daysIn(month))).padStart(2, '0')}`
    if (next > today) return next
  }
}

/** Returns the latest day on which a recurring expense may start, which is 366 days from today. */
export function latestDay(today: string): string {
  return isoDay(dayOf(today) + 366)
}
