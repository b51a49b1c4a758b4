import { dayOf, formatDateShort, isoDay, noonInBogota } from '#format/dates.ts'
import { lazily } from '#format/lazily.ts'
import { addMonths, daysIn, formatMonth, monthOf } from '#format/months.ts'
import { recurringCopy as copy } from './copy.ts'
import type { Rhythm, Schedule } from './recurring.ts'

export const rhythms = ['weekly', 'biweekly', 'monthly', 'yearly'] as const satisfies readonly Rhythm[]

/** The day of the month that stands for the last one. */
export const lastDayOfMonth = 31

const weekday = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone: 'UTC', weekday: 'long' }))

/** `Cada mes, el 5`, `Cada semana, el lunes`, `Cada año, el 5 de marzo`. */
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

/** `5 dic`, with its year where it is not the current one. */
export function dayInWords(day: string): string {
  return formatDateShort(noonInBogota(day))
}

export function isLastOfMonth(day: string): boolean {
  return Number(day.slice(8)) === daysIn(monthOf(day))
}

/** The same day of the next month after today, or the last one of a month that is shorter. */
export function monthAfter(day: string, today: string): string {
  for (let month = addMonths(monthOf(day), 1); ; month = addMonths(month, 1)) {
    const next = `${month}-${String(Math.min(Number(day.slice(8)), daysIn(month))).padStart(2, '0')}`
    if (next > today) return next
  }
}

/** A year and a day from there: as far as the first day may lie. */
export function latestDay(today: string): string {
  return isoDay(dayOf(today) + 366)
}
