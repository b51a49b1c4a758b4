/** Calendar months as text: `2026-11`. Days are as a date field writes them, `2026-11-20`; both sort as they follow. */
import { monthNameShort } from './dates.ts'
import { lazily } from './lazily.ts'

const noonUtc = (month: string) => new Date(`${month}-15T12:00:00Z`)
const name = lazily(() => new Intl.DateTimeFormat('es-CO', { timeZone: 'UTC', month: 'long' }))

export function monthOf(day: string): string {
  return day.slice(0, 7)
}

export function addMonths(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}

export function daysIn(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).getUTCDate()
}

export function firstDay(month: string): string {
  return `${month}-01`
}

export function lastDay(month: string): string {
  return `${month}-${daysIn(month)}`
}

const monthsOfPeriod = { month: 1, quarter: 3, half: 6, year: 12 }

/** The first day of a period up to today: whole calendar months, the current one included. */
export function startOfPeriod(period: keyof typeof monthsOfPeriod, today: string): string {
  return firstDay(addMonths(monthOf(today), 1 - monthsOfPeriod[period]))
}

/** Every month from one to another, both included; none when the other comes before. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month)
  return months
}

/** `noviembre` */
export function formatMonth(month: string): string {
  return name().format(noonUtc(month))
}

/** `nov`, as it stands under a bar. */
export function formatMonthShort(month: string): string {
  return monthNameShort(Number(month.slice(5)))
}

/** `noviembre de 2026` */
export function formatMonthAndYear(month: string): string {
  return `${formatMonth(month)} de ${month.slice(0, 4)}`
}
